"""A pilot's own cases, measured: files of cases read, run, judged, and put into a report."""
