"""Reference resolution: what *it*, *sa*, *der von Lenovo* mean; ``resolve`` is the place to begin reading."""
