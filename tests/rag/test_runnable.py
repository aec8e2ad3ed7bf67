"""The runnable before a real retriever of LangChain: what it hands on in each language, and what it refuses."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough

from languages import UnknownLanguage
from memory import Name, NameIndex, Reading, replay
from memory.types import Role
from rag import history
from rag.cases import as_mapping, resolve_lines
from rag.errors import InputInvalid, QuestionEmpty
from rag.history import Resolver, asks_back
from rag.runnable import StandaloneQuestion, history_of, question_of, reference_aware_retriever
from tests.rag.test_cases import case

CATALOG = NameIndex.of((Name("Velda 12", "PRODUCT"), Name("Velda 14", "PRODUCT")))
LEAFLETS = tuple(
    Document(text, metadata={"name": name})
    for name, text in (
        ("Velda 12", "Velda 12: 900 g, 24 Monate Garantie, garantie 24 mois, الضمان سنتان"),
        ("Velda 14", "Velda 14: 1200 g"),
        ("delivery", "We deliver on weekdays. Livraison, Lieferung, التوصيل"),
    )
)
ONE = {
    "en": ("Which lamp is the lightest?", "The Velda 12 is the lightest one.", "How heavy is it?"),
    "fr": ("Quelle lampe est la plus légère ?", "C'est la Velda 12.", "Quelle est sa garantie ?"),
    "de": ("Welche Lampe ist die leichteste?", "Das ist die Velda 12.", "Wie schwer ist sie?"),
    "ar": ("ما أخف مصباح؟", "أخف مصباح هو Velda 12.", "كم ضمانه؟"),
}
TWO = {
    "en": ("What lamps are there?", "There are the Velda 12 and the Velda 14.", "How heavy is it?"),
    "fr": ("Quelles lampes avez-vous ?", "Nous avons la Velda 12 et la Velda 14.", "Combien pèse-t-elle ?"),
    "de": ("Welche Monitore gibt es?", "Es gibt den Velda 12 und den Velda 14.", "Wie schwer ist er?"),
    "ar": ("ما المصابيح المتوفرة؟", "يوجد مصباح Velda 12 ومصباح Velda 14.", "كم وزنه؟"),
}
STANDALONE = {
    "en": "How heavy is the Velda 12?",
    "fr": "Quelle est la garantie de la Velda 12 ?",
    "de": "Wie schwer ist die Velda 12?",
    "ar": "كم ضمان Velda 12؟",
}


class Shelf(BaseRetriever):
    """A retriever of LangChain: the leaflets whose name or words stand in the question; it keeps what it was asked."""

    asked: list[str] = []  # noqa: RUF012  # pydantic copies it for each shelf

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        return [leaflet for leaflet in LEAFLETS if leaflet.metadata["name"] in query]


def said(turn: tuple[str, str, str]) -> dict[str, Any]:
    first, answer, question = turn
    return {"input": question, "chat_history": [HumanMessage(first), AIMessage(answer)]}


def changed(**changes: object) -> dict[str, Any]:
    return {**said(ONE["en"]), **changes}


def names(documents: list[Document]) -> list[str]:
    return [document.metadata["name"] for document in documents]


@pytest.fixture(scope="module")
def question() -> StandaloneQuestion:
    return StandaloneQuestion(catalog=CATALOG)


@pytest.mark.parametrize("code", ONE)
def test_a_retriever_gets_the_standalone_question(question: StandaloneQuestion, code: str) -> None:
    shelf = Shelf()
    assert names((question | shelf).invoke(said(ONE[code]))) == ["Velda 12"]
    assert shelf.asked == [STANDALONE[code]]


@pytest.mark.parametrize("code", ONE)
def test_a_complete_question_and_one_without_history_stay_as_they_are(question: StandaloneQuestion, code: str) -> None:
    complete = STANDALONE[code]
    assert question.invoke({**said(TWO[code]), "input": complete}) == complete
    for none in ({}, {"chat_history": []}, {"chat_history": None}):
        assert question.invoke({"input": ONE[code][2], **none}) == ONE[code][2]


@pytest.mark.parametrize("code", TWO)
def test_an_ambiguous_question_is_handed_on_as_it_is(question: StandaloneQuestion, code: str) -> None:
    assert question.invoke(said(TWO[code])) == TWO[code][2]


@pytest.mark.parametrize("code", TWO)
def test_the_whole_resolution_lets_the_application_ask_back(question: StandaloneQuestion, code: str) -> None:
    resolution = question.with_resolution().invoke(said(TWO[code]))
    assert (resolution.status, resolution.language) == ("ambiguous", code)
    assert [candidate.name for candidate in resolution.candidates] == ["Velda 12", "Velda 14"]
    resolved = question.with_resolution().invoke(said(ONE[code]))
    assert resolved.status == "resolved"
    assert replay(resolved.question, resolved.links) == resolved.standalone == STANDALONE[code]
    assert all(link.evidence for link in resolved.links)


@pytest.mark.parametrize(
    ("code", "back", "answers", "expected"),
    [
        (
            "en",
            "Which do you mean: the Velda 12 or the Velda 14?",
            ("The Velda 14.", "The second one.", "velda 14"),
            "How heavy is the Velda 14?",
        ),
        (
            "fr",
            "Laquelle voulez-vous dire : la Velda 12 ou la Velda 14 ?",
            ("La Velda 14.", "La seconde."),
            "Combien la Velda 14 pèse-t-elle ?",
        ),
        (
            "de",
            "Welchen meinen Sie: den Velda 12 oder den Velda 14?",
            ("Den Velda 14.", "Den zweiten."),
            "Wie schwer ist der Velda 14?",
        ),
        ("ar", "أيهما تقصد: Velda 12 أم Velda 14؟", ("Velda 14", "الثاني"), "كم وزن Velda 14؟"),
    ],
)
def test_the_answer_to_what_was_asked_back_completes_the_question(
    question: StandaloneQuestion, code: str, back: str, answers: tuple[str, ...], expected: str
) -> None:
    asked = [*said(TWO[code])["chat_history"], HumanMessage(TWO[code][2]), AIMessage(back)]
    assert [question.invoke({"input": answer, "chat_history": asked}) for answer in answers] == [expected] * len(
        answers
    )
    anew = STANDALONE[code]
    assert question.invoke({"input": anew, "chat_history": asked}) == anew


def test_only_a_question_that_names_every_reading_asks_back(question: StandaloneQuestion) -> None:
    ambiguous = question.with_resolution().invoke(said(TWO["en"]))
    assert asks_back("The Velda 12 or the VELDA 14?", ambiguous)
    assert not asks_back("The Velda 12 or the Velda 14.", ambiguous)
    assert not asks_back("The Velda 12?", ambiguous)
    assert not asks_back("The Velda 12?", question.with_resolution().invoke(said(ONE["en"])))


def test_it_stands_in_the_place_of_the_history_aware_retriever(question: StandaloneQuestion) -> None:
    chain = RunnablePassthrough.assign(
        context=reference_aware_retriever(Shelf(), question).with_config(run_name="retrieve_documents")
    ).assign(answer=lambda given: f"{len(given['context'])} found")
    result = chain.invoke({**said(ONE["de"]), "user": "someone"})
    assert (names(result["context"]), result["answer"]) == (["Velda 12"], "1 found")


def test_all_ways_of_calling_it_give_the_same(question: StandaloneQuestion) -> None:
    inputs = [said(ONE[code]) for code in ONE]
    expected = list(STANDALONE.values())
    assert question.batch(inputs) == expected
    assert [list(question.stream(given)) for given in inputs] == [[text] for text in expected]

    async def asked() -> tuple[list[str], list[str], list[list[Document]]]:
        single = [await question.ainvoke(given) for given in inputs]
        streamed = [piece async for piece in question.astream(inputs[0])]
        return single, streamed, await reference_aware_retriever(Shelf(), question).abatch(inputs)

    single, streamed, found = asyncio.run(asked())
    assert (single, streamed) == (expected, expected[:1])
    assert [names(documents) for documents in found] == [["Velda 12"]] * 4


def test_tags_metadata_and_callbacks_reach_the_run(question: StandaloneQuestion) -> None:
    class Listener(BaseCallbackHandler):
        def __init__(self) -> None:
            self.began: list[tuple[Any, ...]] = []
            self.ended: list[Any] = []
            self.failed: list[BaseException] = []

        def on_chain_start(self, serialized: Any, inputs: Any, **run: Any) -> None:
            self.began.append((run.get("name"), run["tags"], run["metadata"]["tenant"]))

        def on_chain_end(self, outputs: Any, **run: Any) -> None:
            self.ended.append(outputs)

        def on_chain_error(self, error: BaseException, **run: Any) -> None:
            self.failed.append(error)

    heard = Listener()
    reference_aware_retriever(Shelf(), question).invoke(
        said(ONE["en"]), {"metadata": {"tenant": "a"}, "callbacks": [heard]}
    )
    assert [name for name, *_ in heard.began] == ["reference_aware_retriever", "StandaloneQuestion"]
    heard = Listener()
    question.invoke(said(ONE["en"]), {"tags": ["shop"], "metadata": {"tenant": "a"}, "callbacks": [heard]})
    assert heard.began == [("StandaloneQuestion", ["shop"], "a")]
    assert heard.ended == [STANDALONE["en"]]
    with pytest.raises(InputInvalid):
        question.invoke({}, {"metadata": {"tenant": "a"}, "callbacks": [heard]})
    assert [type(error) for error in heard.failed] == [InputInvalid]


def test_a_run_says_what_goes_in_and_out(question: StandaloneQuestion) -> None:
    assert question.get_input_jsonschema()["type"] == "object"
    assert question.get_output_jsonschema()["type"] == "string"
    assert "standalone" in str(question.with_resolution().get_output_jsonschema())
    assert repr(question) == "StandaloneQuestion()"
    assert "StandaloneQuestion" in {node.name for node in (question | Shelf()).get_graph().nodes.values()}


LAMP = "The Velda 12 is the lightest one."


@pytest.mark.parametrize(
    "messages",
    [
        [HumanMessage(ONE["en"][0]), AIMessage(LAMP)],
        [("human", ONE["en"][0]), ("ai", LAMP)],
        [("user", ONE["en"][0]), ["assistant", LAMP]],
        (("User", ONE["en"][0]), ("Assistant", LAMP)),
        [{"role": "user", "content": ONE["en"][0]}, {"role": "assistant", "content": LAMP}],
        [ChatMessage(ONE["en"][0], role="user"), ChatMessage(LAMP, role="assistant")],
        [AIMessageChunk(LAMP)],
        [AIMessage([{"type": "text", "text": "The Velda 12 is "}, {"type": "text", "text": "the lightest one."}])],
        [AIMessage(["The Velda 12 is the lightest one."])],
        [("ai", [{"type": "text", "text": LAMP}, {"type": "image_url", "image_url": {"url": "data:,"}}])],
        [AIMessage([{"type": "reasoning", "reasoning": "The Velda 14?"}, {"type": "text", "text": LAMP}])],
        ChatPromptValue(messages=[HumanMessage(ONE["en"][0]), AIMessage(LAMP)]),
    ],
    ids=lambda messages: type(messages).__name__,
)
def test_messages_are_read_in_every_form_that_langchain_has(question: StandaloneQuestion, messages: object) -> None:
    assert question.invoke(changed(chat_history=messages)) == STANDALONE["en"]


@pytest.mark.parametrize(
    "content",
    [
        HumanMessage("How heavy is it?"),
        HumanMessage([{"type": "text", "text": "How heavy is it?"}]),
        [{"type": "text", "text": "How heavy is it?"}, {"type": "image_url", "image_url": {"url": "data:,"}}],
        ["How heavy ", "is it?"],
    ],
    ids=["message", "blocks in a message", "blocks", "strings"],
)
def test_the_question_may_be_a_message_or_its_content(question: StandaloneQuestion, content: object) -> None:
    assert question.invoke(changed(input=content)) == STANDALONE["en"]


def test_who_takes_no_part_in_the_conversation_is_not_heard(question: StandaloneQuestion) -> None:
    others = [
        SystemMessage("You sell the Velda 14."),
        ("system", "You sell the Velda 14."),
        *said(ONE["en"])["chat_history"],
        AIMessage("", tool_calls=[{"name": "stock", "args": {"lamp": "Velda 14"}, "id": "1"}]),
        ToolMessage("Velda 14: sold out", tool_call_id="1"),
        ChatMessage("The Velda 14 is new.", role="narrator"),
    ]
    assert history_of({"chat_history": others}) == (("user", ONE["en"][0]), ("assistant", ONE["en"][1]))
    assert question.invoke(changed(chat_history=others)) == STANDALONE["en"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("How heavy is it?", "found a value of type str as input; expected a mapping with 'input' and 'chat_history'"),
        (None, "found nothing as input; expected a mapping"),
        ([], "found a value of type list as input"),
        ({}, "found the keys none; expected 'input'"),
        ({"question": "?", 3: 4}, "found the keys 'question', 3; expected 'input'"),
        (changed(input=None), "found nothing in 'input'; expected a string"),
        (changed(input=12), "found a value of type int in 'input'; expected a string"),
        (changed(input=b"How heavy is it?"), "found a value of type bytes in 'input'"),
        (changed(input=[3]), "found a value of type tuple as 'input'"),
        (changed(chat_history="User: hello"), "found a value of type str in 'chat_history'; expected a list of mess"),
        (changed(chat_history=5), "found a value of type int in 'chat_history'"),
        (changed(chat_history={"role": "user", "content": "x"}), "found a value of type dict in 'chat_history'"),
        (changed(chat_history=HumanMessage("x")), "found a value of type HumanMessage in 'chat_history'"),
        (changed(chat_history=("user", "hello")), "found a value of type str as message 0 of 'chat_history'"),
        (changed(chat_history=[("user", "x"), object()]), "found a value of type object as message 1 of"),
        (changed(chat_history=[None]), "found nothing as message 0 of 'chat_history'; expected a message of LangChain"),
        (changed(chat_history=[3.5]), "found a value of type float as message 0"),
        (changed(chat_history=[("user",)]), "found a value of type tuple as message 0"),
        (changed(chat_history=[("user", "x", "y")]), "found a value of type tuple as message 0"),
        (changed(chat_history=[("narrator", "x")]), "found a value of type tuple as message 0"),
        (changed(chat_history=[(3, "x")]), "found a value of type tuple as message 0"),
        (changed(chat_history=[([], "x")]), "found a value of type tuple as message 0"),
        (changed(chat_history=[("user", None)]), "found a value of type tuple as message 0"),
        (changed(chat_history=[("user", object())]), "found a value of type tuple as message 0"),
        (changed(chat_history=[{}]), "found a value of type dict as message 0"),
        (changed(chat_history=[{"role": "user"}]), "found a value of type dict as message 0"),
        (changed(chat_history=[{1: 2}]), "found a value of type dict as message 0"),
        (changed(chat_history=messages_to_dict([HumanMessage("x")])), "found a value of type dict as message 0"),
    ],
)  # fmt: skip
def test_what_is_no_question_with_its_messages_is_named(
    question: StandaloneQuestion, given: Any, expected: str
) -> None:
    with pytest.raises(InputInvalid) as caught:
        question.invoke(given)
    assert str(caught.value).startswith(expected)
    assert ";" in str(caught.value)


@pytest.mark.parametrize("text", ["", "  \n\u00a0", [], [{"type": "image_url", "image_url": {"url": "data:,"}}]])
def test_an_empty_question_is_named(question: StandaloneQuestion, text: object) -> None:
    with pytest.raises(QuestionEmpty, match="found no text in 'input'; expected a question"):
        question.invoke(changed(input=text))


def test_a_fault_in_one_input_leaves_the_others_of_a_batch(question: StandaloneQuestion) -> None:
    first, second = question.batch([said(ONE["en"]), {}], return_exceptions=True)
    assert first == STANDALONE["en"]
    assert isinstance(second, InputInvalid)


@pytest.mark.parametrize(
    "long", ["a" * 100_000, "Velda 12 und sie " * 6_000, "؟!… " * 25_000, "\u202e\ud800👍\x00" * 25_000, "\n" * 100_000]
)
def test_long_and_strange_texts_take_bounded_time_and_stay_whole(question: StandaloneQuestion, long: str) -> None:
    began = time.process_time()
    assert question.invoke({"input": f"x{long}", "chat_history": [("user", long), ("ai", long)]}).endswith(long[-1000:])
    assert question.invoke(changed(chat_history=[("user", long), ("ai", LAMP)])) == STANDALONE["en"]
    assert time.process_time() - began < 5


def test_a_given_language_is_taken_and_an_unknown_one_refused() -> None:
    short = {"input": "OK 15 ?", "chat_history": []}
    assert StandaloneQuestion(language="ar").with_resolution().invoke(short).language == "ar"
    assert StandaloneQuestion(language="fr").with_resolution().invoke(said(ONE["en"])).language == "fr"
    with pytest.raises(UnknownLanguage, match="“xx”, expected one of: en, fr, de, ar"):
        StandaloneQuestion(language="xx")


def test_the_language_is_the_question_s_own_or_the_conversation_s(question: StandaloneQuestion) -> None:
    resolution = question.with_resolution()
    assert [resolution.invoke({**said(ONE[code]), "input": "Velda 14 ?"}).language for code in ONE] == list(ONE)
    mixed = {**said(ONE["de"]), "input": "And how heavy is it, please?"}
    assert resolution.invoke(mixed).language == "en"


def test_names_that_the_messages_bring_do_without_a_catalogue() -> None:
    assert StandaloneQuestion().invoke(said(ONE["en"])) == STANDALONE["en"]


class Reader:
    """A scorer that finds nothing to read, and keeps what it was given."""

    def __init__(self) -> None:
        self.read_of: list[tuple[str, int]] = []
        self._lock = Lock()

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading | None:
        with self._lock:
            self.read_of.append((question, len(history)))


def test_a_scorer_reads_each_message_of_a_conversation_once() -> None:
    scorer = Reader()
    question = StandaloneQuestion(catalog=CATALOG, scorer=scorer)
    messages = [("user", "What lamps are there?"), ("ai", "The Velda 12."), ("user", "Is it new?"), ("ai", "Yes.")]
    assert question.invoke({"input": "How heavy is it?", "chat_history": messages}) == STANDALONE["en"]
    assert scorer.read_of == [("Is it new?", 2), ("How heavy is it?", 4)]
    messages += [("user", "How heavy is it?"), ("ai", "900 g.")]
    question.invoke({"input": "Is it dear?", "chat_history": messages})
    assert scorer.read_of[2:] == [("How heavy is it?", 4), ("Is it dear?", 6)]


def test_a_long_conversation_costs_its_newest_messages_alone() -> None:
    scorer = Reader()
    resolver = Resolver(CATALOG, scorer=scorer)
    messages: tuple[tuple[Role, str], ...] = (("user", "Is it new?"), ("assistant", "The Velda 12 is."))
    resolver.resolve("How heavy is it?", messages * 500)
    assert len(scorer.read_of) <= history.NEWEST
    for turns in range(501, 510):
        before = len(scorer.read_of)
        assert resolver.resolve("How heavy is it?", messages * turns).standalone == STANDALONE["en"]
        assert len(scorer.read_of) == before + 2, "the newest message of the person, and the question"


def test_of_a_long_message_its_beginning_alone_is_read_and_kept() -> None:
    scorer = Reader()
    Resolver(CATALOG, scorer=scorer).resolve("Is it?", (("assistant", LAMP), ("user", "heavy " * 20_000)))
    assert [len(text) for text, _ in scorer.read_of] == [8000, len("Is it?")]


def test_threads_share_one_and_get_each_its_own_answer(question: StandaloneQuestion) -> None:
    fresh = StandaloneQuestion(catalog=CATALOG)
    inputs = [said(ONE[code]) for code in ONE] * 25
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(fresh.invoke, inputs)) == list(STANDALONE.values()) * 25


def test_it_resolves_as_the_lines_of_the_command_do(question: StandaloneQuestion) -> None:
    given = case()
    (line,) = resolve_lines([json.dumps(given)])
    pairs = [(message["role"], message["text"]) for message in given["history"]]
    resolution = question.with_resolution().invoke({"input": given["question"], "chat_history": pairs})
    mapping = as_mapping(resolution)
    assert {key: line[key] for key in mapping} == dict(mapping)


def test_what_makes_the_input_may_stand_before_it(question: StandaloneQuestion) -> None:
    chain = {
        "input": lambda state: state["messages"][-1],
        "chat_history": lambda state: state["messages"][:-1],
    } | question
    messages = [*said(ONE["fr"])["chat_history"], HumanMessage(ONE["fr"][2])]
    assert chain.invoke({"messages": messages}) == STANDALONE["fr"]
    assert question_of({"input": messages[-1]}) == ONE["fr"][2]
    assert question.resolution(said(ONE["fr"])).standalone == STANDALONE["fr"]


def test_it_loads_no_model_library_and_no_index() -> None:
    program = (
        "import sys\n"
        "from rag.runnable import StandaloneQuestion\n"
        "said = {'input': 'Is it heavy?', 'chat_history': [('ai', 'The Velda 12 is new.')]}\n"
        "assert StandaloneQuestion().invoke(said) == 'Is the Velda 12 heavy?'\n"
        "heavy = {'torch', 'chromadb', 'sentence_transformers', 'transformers', 'langchain_openai', 'openai',\n"
        "         'streamlit', 'sqlalchemy'}\n"
        "sys.exit(' '.join(sorted(heavy & sys.modules.keys())) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
