"""The rules of each format, one line a case: the text, its options, and the records or the refusal."""

import json

import pytest

ACCEPTED = [
    ("durations", "12\r\n\r\n# c\r\n3", [], [[None, None, 12, 1, 0], [None, None, 3, 1, 0]], {}),
    ("durations", "duration , observed\n1,1\n", [], [[None, None, 1, 1, 0]], {}),
    ("durations", "+.5e1\n", [], [[None, None, 5, 1, 0]], {}),
    ("durations", "\ufeff1\n", [], [[None, None, 1, 1, 0]], {}),
    ("durations", "5.\n", [], [[None, None, 5, 1, 0]], {}),
    ("durations", "1e-400\n", [], [[None, None, 0, 1, 0]], {'W_ZERO': 1}),
    ("durations", "-0\n", [], [[None, None, 0, 1, 0]], {'W_ZERO': 1}),
    ("intervals", "end,x,host,start\n5,zz,a,1\n", [], [['a', 1, 4, 1, 0]], {'W_COLUMN x': 1}),
    ("intervals", "host,start,end\n\"a,b\",1,2\n", [], [['a,b', 1, 1, 1, 0]], {}),
    ("intervals", "host,start,end\na,2019-03-10T01:30:00-08:00,2019-03-10T03:30:00-07:00\n", [], [['a', 1552210200,
     3600, 1, 0]], {}),
    ("intervals", "host,start,end\na,1,inf\nb,2,NA\nc,0,NULL\nd,0,null\ne,0,\nf,0,-\ng,0,10\n", [], [['a', 1, 9, 0,
     0], ['b', 2, 8, 0, 0], ['c', 0, 10, 0, 0], ['d', 0, 10, 0, 0], ['e', 0, 10, 0, 0], ['f', 0, 10, 0, 0], ['g', 0,
     10, 1, 0]], {'W_CENSORED': 6}),
    ("intervals", "host,start,end,observed\na,1,4,1\na,3,6,0\n", ['overlap=merge'], [['a', 1, 5, 0, 0]],
     {'W_CENSORED': 1, 'W_MERGED': 1}),
    ("intervals", "host,start,end,observed\na,1,6,0\na,3,6,1\n", ['overlap=merge'], [['a', 1, 5, 1, 0]],
     {'W_MERGED': 1, 'W_DIFFER 3': 1}),
    ("intervals", "host,start,end,reason\na,0,,preempted\nb,1,3,preempted\n", [], [['a', 0, 3, 0, 0], ['b', 1, 2, 1, 0]],
     {'W_CENSORED': 1, 'W_OPEN 2': 1}),
    ("intervals", "host,start,end,reason\na,0,5,stop\n", ['observed=preempted,reclaimed'], [['a', 0, 5, 0, 0]],
     {'W_CENSORED': 1, 'W_ABSENT observed=preempted,reclaimed': 2}),
    ("intervals", "host,start,end,reason\na,0,100,preempted\na,0,100,stop\na,0,120,stop\nc,10,,stop\nc,20,120,preempted\n",
     ['overlap=merge'], [['a', 0, 120, 0, 0], ['c', 10, 110, 1, 0]], {'W_CENSORED': 1, 'W_MERGED': 3}),
    ("intervals", "host,start,end\na,0,5\n", ['timezone=UTC'], [['a', 0, 5, 1, 0]], {'W_TIMEZONE': 2}),
    ("intervals", "host,start,end\na,1970-01-01T00:00:00Z,1970-01-01T00:00:05Z\n", ['unit=h'], [['a', 0, 5, 1, 0]],
     {'W_UNIT': 2}),
    ("intervals", "host,start,end,\na,0,5,\n", [], [['a', 0, 5, 1, 0]], {}),
    ("intervals", ",host,start,end\n7,a,0,5\n", [], [['a', 0, 5, 1, 0]], {'W_COLUMN number 1 (it has no name)': 1}),
    ("intervals", "host,start,end\na,0,5\na,5,9\n", ['t0=0', 't1=9'], [['a', 0, 5, 1, 1], ['a', 5, 4, 0, 0]],
     {'W_CENSORED': 1, 'W_LEFT': 1, 'W_TOUCH': 1}),
    ("events", "5,a,up\n7 a down\n", [], [['a', 5, 2, 1, 0]], {}),
    ("events", "1000,add,x\n3000,remove,x\n", ['unit=ms'], [['x', 1, 2, 1, 0]], {}),
    ("events", "1 a up\n1 a down\n1 a up\n4 b up\n", [], [['a', 1, 0, 1, 0], ['a', 1, 3, 0, 0], ['b', 4, 0, 0, 0]],
     {'W_CENSORED': 2, 'W_TOUCH': 1, 'W_ZERO': 2}),
    ("avt", "a 2 0 1 1 2\nb 0\n", [], [['a', 0, 1, 1, 0], ['a', 1, 1, 1, 0]], {'W_TOUCH': 1}),
    ("avt", "a 1 0 10\n", ['t0=0', 't1=10'], [['a', 0, 10, 0, 1]], {'W_CENSORED': 1, 'W_LEFT': 1}),
    ("fta", "1 0 7 5 n 10001 0 10 NULL\n2 0 7 5 n 1 0 10 NULL\n", [], [['n', 0, 10, 0, 1]], {'W_CENSORED': 1,
     'W_LEFT': 1, 'W_OTHERTYPE': 1}),
    ("fta", "1 0 7 5 n 1 0 10 NULL\n2 0 7 5 n 1 10 20 NULL\n3 0 7 5 n 0 20 22 1\n", [], [['n', 0, 20, 1, 1]],
     {'W_JOINED': 1, 'W_LEFT': 1}),
    ("fta", "1 0 7 5 n 1 0 10 NULL\n2 0 7 5 n 1 15 20 NULL\n3 0 7 5 n 0 20 22 1\n", [], [['n', 0, 10, 0, 1], ['n', 15,
     5, 1, 1]], {'W_CENSORED': 1, 'W_GAP': 1, 'W_LEFT': 2}),
    ("simgrid", "0 1\n5 0\n7 1\n", [], [['host', 0, 5, 1, 1]], {'W_LASTUP': 1, 'W_LEFT': 1}),
    ("simgrid", "1 0\n2 1\nLOOPAFTER 8\n", [], [['host', 0, 1, 1, 1], ['host', 2, 9, 1, 0]], {'W_LEFT': 1,
     'W_LOOP': 1}),
    ("simgrid", "1 -1.0\n", [], [['host', 0, 1, 1, 1]], {'W_LEFT': 1}),
    ("simgrid", "1 0\n2 1\n", ['t1=5'], [['host', 0, 1, 1, 1], ['host', 2, 3, 0, 0]], {'W_CENSORED': 1, 'W_LEFT': 1}),
    ("simgrid", "% c\n# d\n0 0\n1 1\n4 0\n", [], [['host', 1, 3, 1, 0]], {}),
    ("samples", "{\"metadata\":{\"gap_seconds\":300},\"data\":[1,1,0,1]}", [], [['zone', 0, 600, 1, 1], ['zone', 900,
     300, 0, 0]], {'W_CENSORED': 1, 'W_LEFT': 1, 'W_SAMPLED': 1}),
    ("samples", "{\"metadata\":{\"gap_seconds\":3},\"data\":[2,1,0]}", ['count=lifo'], [['slot1', 0, 6, 1, 1],
     ['slot2', 0, 3, 1, 1]], {'W_LEFT': 2, 'W_SAMPLED': 1}),
    ("samples", "{\"metadata\":{\"gap_seconds\":3},\"data\":[0,0,1]}", ['value=0'], [['zone', 0, 6, 1, 1]],
     {'W_LEFT': 1, 'W_SAMPLED': 1}),
    ("lifetimes", "time_in_sec,end_type\n5,preempted\n6,stop\n", [], [[None, None, 5, 1, 0], [None, None, 6, 0, 0]],
     {'W_CENSORED': 1}),
    ("lifetimes", "time_in_sec,end_type\n5,stop\n", ['observed=stop'], [[None, None, 5, 1, 0]], {}),
    ("lifetimes", "time_in_sec,end_type\n5,stop\n", ['cause=none'], [[None, None, 5, 1, 0]], {'W_COLUMN end_type': 1}),
    ("lifetimes", "time_in_sec,end_type\n5,preempted\n", ['censored=preempted'], [[None, None, 5, 0, 0]],
     {'W_CENSORED': 1}),
    ("lifetimes", "d,c\n5,x\n6,y\n", ['col=d', 'cause=c', 'observed=x', 'censored=y'], [[None, None, 5, 1, 0], [None,
     None, 6, 0, 0]], {'W_CENSORED': 1}),
]

REFUSED = [
    ("durations", ".\n", [], "E_HEADER", 1),
    ("durations", "1e400\n", [], "E_NUMBER", 1),
    ("durations", "0x10\n", [], "E_HEADER", 1),
    ("durations", "duration,observed\n5,2\n", [], "E_FLAG", 2),
    ("durations", "duration,observed\n5\n", [], "E_FIELDS", 2),
    ("durations", "-1\n", [], "E_NEGATIVE", 1),
    ("durations", "1 2\n", [], "E_FIELDS", 1),
    ("durations", "1\n2,1\n", [], "E_FIELDS", 2),
    ("durations", "1\nduration,observed\n2,1\n", [], "E_FIELDS", 2),
    ("durations", "0\n0\n", ['zero=drop'], "E_EMPTY", 0),
    ("durations", "1\n0\n", ['zero=error'], "E_ZERO", 2),
    ("durations", "1\n\ufeff2\n", [], "E_NUMBER", 2),
    ("intervals", "host,start,end,host\na,1,2,3\n", [], "E_HEADER", 1),
    ("intervals", "host,start\na,1\n", [], "E_HEADER", 1),
    ("intervals", "host,start,end\na,1,2,3\n", [], "E_FIELDS", 2),
    ("intervals", "host,start,end\n\"a,b,1,2\n", [], "E_FIELDS", 2),
    ("intervals", "host,start,end\na,5,1\n", [], "E_NEGATIVE", 2),
    ("intervals", "host,start,end\na,2019-03-10T01:30:00,9\n", [], "E_NUMBER", 2),
    ("intervals", "host,start,end\na,1,4\na,3,5\n", [], "E_OVERLAP", 3),
    ("intervals", "host,start,end\n", [], "E_EMPTY", 0),
    ("intervals", "host,start,end,reason\na,0,5,stop\n", ['observed=stopp'], "E_CAUSE", 0),
    ("intervals", "host,start,end,reason\na,0,5,stop\n", ['censored=stopp'], "E_CAUSE", 0),
    ("intervals", "host,start,end\na,0,5\n", ['observed=stop'], "E_HEADER", 1),
    ("events", "5 a up\n7 a down\n6 b up\n", [], "E_ORDER", 3),
    ("events", "1 a down\n", [], "E_STATE", 1),
    ("events", "1 a up\n2 a up\n", [], "E_STATE", 2),
    ("events", "1 a start\n", [], "E_EVENT", 1),
    ("events", "1 a up extra\n", [], "E_FIELDS", 1),
    ("avt", "a 1 0\n", [], "E_COUNT", 1),
    ("avt", "a 1 5 3\n", [], "E_ORDER", 1),
    ("avt", "a 1 0 1\na 1 2 3\n", [], "E_DUPHOST", 2),
    ("avt", "a -1\n", [], "E_COUNT", 1),
    ("avt", "a 1.0 0 1\n", [], "E_COUNT", 1),
    ("avt", "a 1 0 x\n", [], "E_NUMBER", 1),
    ("avt", "a 0\n", [], "E_EMPTY", 0),
    ("fta", "1 0 7 5 my node 1 0 10 NULL\n", [], "E_FIELDS", 1),
    ("fta", "1 0 7 5 n 2 0 10 NULL\n", [], "E_EVENT", 1),
    ("fta", "1 0 7 5 n +-1 0 10 NULL\n", [], "E_NUMBER", 1),
    ("fta", "1 0 7 5 n 1 0 10 NULL\n2 0 7 5 n 0 9 12 1\n", [], "E_OVERLAP", 2),
    ("simgrid", "1 0\n2 1\nPERIODICITY 1\n", [], "E_LOOP", 0),
    ("simgrid", "1 0\n2 1\nPERIODICITY 10\nLOOPAFTER 8\n", [], "E_LOOP", 0),
    ("simgrid", "STOCHASTIC\n", [], "E_STOCHASTIC", 1),
    ("simgrid", "3 0\n1 1\n", [], "E_ORDER", 2),
    ("simgrid", "-1 0\n", [], "E_NEGATIVE", 1),
    ("samples", "{\"metadata\":{\"gap_seconds\":0},\"data\":[1]}", [], "E_FIELDS", 0),
    ("samples", "{\"metadata\":{\"gap_seconds\":3},\"data\":[1.5]}", [], "E_NUMBER", 0),
    ("samples", "{\"metadata\":{\"gap_seconds\":3},\"data\":[-1]}", [], "E_NUMBER", 0),
    ("samples", "{\"metadata\":{\"gap_seconds\":3},\"data\":[2,1,0]}", [], "E_COUNT", 0),
    ("samples", "{\"metadata\":{\"gap_seconds\":3},\"data\":[]}", [], "E_EMPTY", 0),
    ("samples", "[1]", [], "E_FIELDS", 1),
    ("lifetimes", "time_in_sec,end_type\n5,crash\n", [], "E_CAUSE", 2),
    ("lifetimes", "time_in_sec,end_type\n5,stop\n", ['observed=preempted,stopp'], "E_CAUSE", 0),
    ("simgrid", "0 1\n", [], "E_EMPTY", 0),
    ("lifetimes", "d,c\n5,x\n", ['observed=x'], "E_HEADER", 1),
    ("lifetimes", "time_in_sec,end_type\n-5,stop\n", [], "E_NEGATIVE", 2),
]


def convert(coterie, folder, form, text, options):
    path = folder / "case.txt"
    path.write_bytes(text.encode())
    words = [word for option in options for word in ("--option", option)]
    done = coterie("trace", "convert", path, "--trace-format", form, "--to", "json", *words, check=False)
    return path, done


@pytest.mark.parametrize("form, text, options, records, warnings", ACCEPTED)
def test_what_follows_the_rules_is_read(coterie, tmp_path, form, text, options, records, warnings):
    _, done = convert(coterie, tmp_path, form, text, options)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"records": records, "warnings": warnings}


@pytest.mark.parametrize("form, text, options, code, line", REFUSED)
def test_what_breaks_a_rule_is_refused_where_it_does(coterie, tmp_path, form, text, options, code, line):
    path, done = convert(coterie, tmp_path, form, text, options)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"{path}:{line}: {code}: " if line else f"{path}: {code}: ")
