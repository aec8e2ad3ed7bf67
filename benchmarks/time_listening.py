"""How long listening takes on a message of 200 characters, in each language: ``python -m benchmarks.time_listening``.

Time of the thread, not of the clock, so that others on the machine count little.
"""

from __future__ import annotations

import statistics
import time

import typer

from memory.knowledge.listening import listen

RUNS = 300
BOUND = 1.0  # milliseconds, at the median
MESSAGES = {
    "en": "Hi, I'm Alex and I live in Basel. I have a Galaxy A55 and my budget is around 900 euros, but I don't like "
    "leather at all. Would Notion suit my team of 12? My order number is A-10442 by now.",
    "fr": "Bonjour, je m'appelle Inès et j'habite à Lyon. J'ai un Galaxy A55 et mon budget est de 900 euros environ, "
    "mais je n'aime pas le cuir. Est-ce que Notion irait à mon équipe de 12 ? Commande A-10442 svp.",
    "de": "Hallo, ich heiße Jana und wohne in Basel. Ich habe ein Galaxy A55, mein Budget liegt bei 900 Euro, aber "
    "ich mag kein Leder. Würde Notion für mein Team von 12 passen? Meine Bestellnummer ist A-10442.",
    "ar": "مرحبا اسمي ريم وأسكن في القاهرة وأعمل مهندسة في شركة أرامكو. عندي هاتف Galaxy A55 وميزانيتي حوالي 900 يورو "
    "لكن ما بحب الجلد. هل يناسب Notion فريقي من 12 شخص؟ رقم طلبي A-10442 شكرا جزيلا لكم",
}


def milliseconds(message: str, language: str) -> list[float]:
    """Return how long each of ``RUNS`` runs took, the first left out: it reads the language's files."""
    listen(message, language=language)
    taken = []
    for _ in range(RUNS):
        begun = time.thread_time()
        listen(message, language=language)
        taken.append((time.thread_time() - begun) * 1000)
    return taken


def main() -> None:
    """Print the median and the 95th percentile for each language; exit with 1 above the bound."""
    slow = False
    for language, message in MESSAGES.items():
        taken = sorted(milliseconds(message, language))
        middle = statistics.median(taken)
        typer.echo(f"{language}  {len(message)} characters  p50 {middle:.2f} ms  p95 {taken[int(RUNS * 0.95)]:.2f} ms")
        slow = slow or middle > BOUND
    if slow:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
