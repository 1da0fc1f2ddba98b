"""What Python's re says about random patterns and values.

Run it with Python 3.11. The recorded answers are made by
    python3 test/unit/pattern/python-answers.py 500 1 > test/unit/pattern/python-answers.json
The first number says how many pairs, the second is the seed.
"""

import json
import random
import re
import signal
import sys
import warnings

assert sys.version_info[:2] == (3, 11)
warnings.simplefilter('ignore')
SECONDS_MAX = 0.2
CHARACTERS = 'aabbcAB1_ -\n' + '\u00e9\u00c9\u0130\u0131k\u212as\u017f\u1e9e\u00df\U0001f600\u0663\x1c'
ATOMS = [
    *'aabbcAB1_-',
    '.', r'\w', r'\W', r'\d', r'\D', r'\s', r'\S', r'\n', r'\x61', r'\u00e9', r'\U0001f600',
    r'\141', r'\0', r'\.', r'\-', '\u00e9', '\u0130', 'k', 's', '\u00df', ' ', '#',
    '[ab]', '[^a]', '[a-c]', r'[\w-]', '[]a]', r'[^\s]', '[k-s]', r'[\d\n]', '[^]]', '[-a]',
]  # fmt: skip
PLACES = ['^', '$', r'\b', r'\B', r'\A', r'\Z']
REPEATS = ['*', '+', '?', '{2}', '{1,2}', '{,2}', '{1,}', '{0}', '{0,1}', '{2,3}']
WRONG = [
    '(', ')', '[', ']', '*', '+?', '{2,1}', '\\', r'\q', r'\8', r'\400', r'\x4', r'\u12', '(?',
    '(?P', '(?P<', '(?P<1>', '(?P<n>', '(?P=', '(?P=z)', '(?<', '(?<a', '(?(', '(?(9)a)', '(?(z)a)',
    '(?(1)a|b|c)', '(?i)', '(?i', '(?i-', '(?au)', '(?z)', '(?-i)', '(?#', '(?<=a+)', '[b-a]',
    r'[a-\d]', r'[\400]', '{', '}', '{,', '|', '(?P<n>a)(?P<n>b)', r'(?<=(a)\1)', '(?i-i:a)', '\n',
]  # fmt: skip


class Maker:
    def __init__(self, chance):
        self.chance = chance
        self.groups = 0

    def pick(self, items):
        return self.chance.choice(items)

    def piece(self, depth):
        kind = self.chance.random()
        if kind < 0.55 or depth <= 0:
            return self.pick(ATOMS)
        if kind < 0.62:
            return self.pick(PLACES)
        if kind < 0.68:
            return self.reference()
        return self.group(depth - 1)

    def reference(self):
        if self.groups == 0:
            return self.pick(ATOMS)
        return '\\' + str(self.chance.randint(1, self.groups))

    def group(self, depth):
        kind = self.chance.random()
        if kind < 0.35:
            name = f'?P<g{self.groups + 1}>' if self.chance.random() < 0.2 else ''
            self.groups += 1
            return f'({name}{self.choice(depth)})'
        if kind < 0.45 and self.groups > 0:
            return f'(?({self.chance.randint(1, self.groups)}){self.choice(depth, 2)})'
        opening = self.pick(
            ['(?:', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?>', '(?i:', '(?s:', '(?m:', '(?a:']
            + ['(?x: ', '(?-i:', '(?si-x:', '(?u:'],
        )
        return f'{opening}{self.choice(depth)})'

    def fixed(self):
        """What a lookbehind can have."""
        one = self.chance.randint(1, 2)
        options = [[self.pick(ATOMS) for _ in range(one)] for _ in range(self.pick([1, 1, 2]))]
        text = '|'.join(self.pick(['', '', self.pick(PLACES)]) + ''.join(some) for some in options)
        if self.chance.random() < 0.3:
            self.groups += 1
            return f'({text})'
        return text

    def sequence(self, depth):
        text = ''
        for _ in range(self.chance.randint(0, 2) if depth < 1 else self.chance.randint(1, 3)):
            text += self.piece(depth)
            if self.chance.random() < 0.35:
                text += self.pick(REPEATS) + self.pick(['', '', '', '?', '+'])
        return text

    def choice(self, depth, most=3):
        count = self.pick([1, 1, 1, 2, 2, most])
        return '|'.join(self.sequence(depth) for _ in range(count))

    def pattern(self):
        self.groups = 0
        text = self.choice(self.pick([1, 1, 2, 3]))
        if self.chance.random() < 0.25:
            text = f'(?{self.pick(["i", "m", "s", "x", "a", "im", "ia", "u"])})' + text
        if self.chance.random() < 0.1:
            at = self.chance.randint(0, len(text))
            text = text[:at] + self.pick(WRONG) + text[at:]
        return text

    def value(self):
        alphabet = CHARACTERS if self.chance.random() < 0.4 else CHARACTERS[:12]
        return ''.join(self.pick(alphabet) for _ in range(self.chance.randint(0, 10)))


def spans(match):
    return [list(match.span(group)) for group in range(match.re.groups + 1)]


def answer(pattern, value):
    """The spans of re.match() and of re.finditer(), or the error's text."""
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, ValueError) as failure:
        return {'error': str(failure)}
    match = compiled.match(value)
    return {
        'match': None if match is None else spans(match),
        'all': [spans(one) for one in compiled.finditer(value)],
    }


def main():
    maker = Maker(random.Random(int(sys.argv[2])))

    def give_up(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    cases = []
    while len(cases) < int(sys.argv[1]):
        pattern, value = maker.pattern(), maker.value()
        signal.setitimer(signal.ITIMER_REAL, SECONDS_MAX)
        try:
            cases.append({'pattern': pattern, 'value': value, **answer(pattern, value)})
        except TimeoutError:
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    print('[\n' + ',\n'.join(json.dumps(case) for case in cases) + '\n]')


main()
