"""What the package costs to import, in a process of its own: no model library and no index."""

from __future__ import annotations

import subprocess
import sys


def test_memory_resolves_without_a_model_library_or_an_index() -> None:
    program = (
        "import sys\n"
        "from memory import Discourse, Name, NameIndex, observe, resolve\n"
        "catalog = NameIndex.of((Name('Velda 12', 'PRODUCT'),))\n"
        "said = observe(Discourse(), 'assistant', 'The Velda 12 is new.', language='en', catalogs=(catalog,))\n"
        "assert resolve('Is it heavy?', said, catalog=catalog, language='en').status == 'resolved'\n"
        "heavy = {'torch', 'chromadb', 'sentence_transformers', 'transformers', 'langchain_openai', 'openai',\n"
        "         'streamlit', 'pandas', 'sqlalchemy'}\n"
        "sys.exit(' '.join(sorted(heavy & sys.modules.keys())) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_reads_no_language() -> None:
    program = (
        "import sys, memory\n"
        "from languages.pack import codes, load\n"
        "from memory.commonwords import common_words\n"
        "sys.exit(sum(each.cache_info().currsize for each in (codes, load, common_words)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
