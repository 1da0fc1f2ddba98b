"""Writes lib/pattern/character-tables.ts: what Python 3.11 knows about characters.

Run it with Python 3.11:
    python3 test/unit/pattern/character-tables.py > lib/pattern/character-tables.ts
"""

import re
import sys
from _sre import unicode_iscased, unicode_tolower
from re._casefix import _EXTRA_CASES

assert sys.version_info[:2] == (3, 11)
POINTS = range(sys.maxunicode + 1)
HEADER = '''/**
 * What Python 3.11 knows about characters, with Unicode 14. The tables of Node and of RE2 are of
 * other versions of Unicode. test/unit/pattern/character-tables.py makes this file.
 */'''


def ranges_of(category):
    """Numbers in pairs: how far after the last range one begins, and how long it is."""
    has = re.compile(category).match
    numbers, end, start = [], 0, None
    for point in [*POINTS, None]:
        if point is not None and has(chr(point)):
            start = point if start is None else start
        elif start is not None:
            stop = sys.maxunicode + 1 if point is None else point
            numbers += [start - end, stop - start]
            end, start = stop, None
    return numbers


def families():
    """Characters that are equal without regard to case."""
    by_lower = {}
    for point in POINTS:
        if not unicode_iscased(point):
            continue
        lower = unicode_tolower(point)
        key = min((lower, *_EXTRA_CASES.get(lower, ())))
        by_lower.setdefault(key, []).append(point)
    return sorted(family for family in by_lower.values() if len(family) > 1)


def runs_of(pairs):
    """Numbers in fours: the first character, its other case, how many pairs, how far apart."""
    left, numbers = dict(pairs), []
    for first, other in pairs:
        if first not in left:
            continue
        count, step = 1, 1
        for step in (1, 2):
            count = 1
            while left.get(first + count * step) == other + count * step:
                count += 1
            if count > 1:
                break
        for at in range(count):
            del left[first + at * step]
        numbers += [first, other, count, step]
    return numbers


def write(name, comment, numbers):
    print(f'\n/** {comment} */\nexport const {name}: readonly number[] = [')
    for at in range(0, len(numbers), 16):
        print('  ' + ', '.join(str(number) for number in numbers[at : at + 16]) + ',')
    print('];')


RANGES = 'Pairs: how far after the last range one begins, and how long it is.'
print(HEADER)
write('WORDS', RANGES, ranges_of(r'\w'))
write('DIGITS', RANGES, ranges_of(r'\d'))
write('SPACES', RANGES, ranges_of(r'\s'))
ALL = families()
write(
    'CASE_PAIRS',
    'Fours: a character, its other case, how many such pairs follow, and how far apart.',
    runs_of([tuple(family) for family in ALL if len(family) == 2]),
)
LARGE = [family for family in ALL if len(family) > 2]
print('\n/** Characters of more than two cases. */')
print('export const CASE_FAMILIES: readonly (readonly number[])[] = [')
for family in LARGE:
    print('  [' + ', '.join(str(point) for point in family) + '],')
print('];')
