/**
 * A grammar of yaql's standard library. A letter in angle brackets is another expression of that
 * kind. Capitals may read the data. Small letters are used inside a rule, where `$` is an item.
 */

/**
 * N and F are an integer and any number. T is a text, and B a boolean. L and S are lists of
 * integers and of texts. D is a dictionary of integers. The keys of K are no texts. G is a list of
 * dictionaries with `k` and `v`. U is a set. A is anything. c and x are a constant and a text.
 * n, t and h make a value of an integer, a text and a dictionary. p, q and r decide about them.
 */
export type Sort = keyof typeof LEAVES;

export const LEAVES = {
  N: ["$.data.i", "$.data.j", "0", "1", "2", "7", "$.data.n.len()", "$.data['i']"],
  F: ["$.data.f", "1.5", "0.0", "2.0", "12.50", "$.data.i", "-0.5", "123456789012345678901"],
  T: [
    "$.data.x",
    "$.data.y",
    "'a'",
    "'é'",
    "''",
    "'a,b'",
    '"it\'s"',
    "'\\n'",
    "`a\\b`",
    "'\u{1f600}b'",
  ],
  B: ["$.data.b", "true", "false"],
  L: ["$.data.n", "[1, 2, 3]", "[]", "list(3, 1, 2)", "[2, 2, 1]", "range(4)"],
  S: ["$.data.s", "['a', 'b']", "[]", "list('é', 'a', 'ab')"],
  D: ["$.data.d", "{a => 1}", "{}", "dict(a => 1, b => 2)", "dict([['a', 1], ['é', 2]])"],
  G: ["$.data.g", "[{k => a, v => 1}, {k => b, v => 2}]"],
  K: ["{1 => 2}", "{null => 1, true => 2}"],
  U: ["set(1, 2)", "set()", "set(3)"],
  A: ["$.data.z", "null", "$", "$.data", "$.data.m", "$.nope", "$nope"],
  c: ["0", "1", "2", "3"],
  x: ["'a'", "'b'", "'é'", "''"],
  n: ["$", "1", "-$", "str($)"],
  t: ["$", "'a'", "len($)", "$.toUpper()"],
  h: ["$.v", "$.k", "$", "$.get(k)", "$['v']", "$.keys().toList()"],
  p: ["$ > 1", "$ = 2", "true", "not $", "$ mod 2 = 0"],
  q: ["len($) > 1", "$ = 'a'", "$ in 'abc'", "isEmpty($)"],
  r: ["$.v > 1", "$.k = 'a'", "$.containsKey(v)"],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

const rules = (text: string): readonly string[] => text.trim().split(/ \| |\n\s*/);

const NUMBERS = rules(`
  <N> + <N> | <N> - <N> | <N> * <N> | <N> / <N> | <N> mod <N> | -<N> | +<N> | (<N>) | int(<N>)
  int('12') | int(null) | int(<F>) | len(<T>) | len(<L>) | len(<D>) | <T>.len() | <L>.sum()
  <L>.count() | <L>.max() | <L>.min() | <L>.sum(<N>) | <L>.max(<N>) | max(<N>, <N>)
  min(<N>, <N>) | abs(<N>) | sign(<N>) | pow(<N>, 2) | pow(<N>, <N>, 7) | bitwiseAnd(<N>, <N>)
  bitwiseOr(<N>, <N>) | bitwiseXor(<N>, <N>) | bitwiseNot(<N>) | shiftBitsLeft(<N>, <N>)
  shiftBitsRight(<N>, <N>) | <L>.first() | <L>.last() | <L>.first(<N>) | <L>.last(<N>)
  <L>.single() | <L>.indexOf(<N>) | <L>.lastIndexOf(<N>) | <L>.indexWhere(<p>)
  <L>.lastIndexWhere(<p>) | <S>.indexWhere(<q>) | <T>.indexOf(<T>) | <T>.lastIndexOf(<T>)
  <T>.indexOf(<T>, 1) | <T>.indexOf(<T>, 0, 2) | <T>.lastIndexOf(<T>, 1)
  <T>.lastIndexOf(<T>, 0, 2) | <L>.aggregate($1 + $2) | <L>.aggregate($1 + $2, <N>)
  <L>.reduce($1 * $2, 1) | <D>.a | <D>['a', <N>] | <D>.get(a) | <D>.get(a, <N>) | <D>.len()
  <L>[0] | coalesce(null, <N>) | coalesce(<N>, 1) | switch(<B> => <N>, true => <N>)
  <N>.switchCase(<N>, <N>, <N>) | selectCase(<B>, <B>) | let(<N>) -> $ + 1
  let(a => <N>, b => <N>) -> $a + $b | with(<N>, <N>) -> $1 - $2 | def(f, $ + 1) -> f(2)
  call(len, [[1, 2]], {}) | call(max, [<N>, <N>], {}) | <U>.len() | <G>.select($.v).sum()
  <G>.first().v | <N>.assert($ > <c>) | round(<F>) | hex(<N>).len() | <L>.orderBy($).first()
  <G>.v.sum() | $.data?.i | <D>.values().sum()
`);

const FLOATS = rules(`
  <F> + <F> | <F> - <F> | <F> * <F> | <F> / <F> | <F> mod <F> | -<F> | float(<N>)
  float('1.50') | float(<F>) | round(<F>) | round(<F>, 1) | round(<F>, <N>) | abs(<F>)
  sign(<F>) | max(<F>, <F>) | min(<F>, <N>) | pow(<F>, 2) | pow(abs(<F>), <F>) | <N> / 2.0
  list(<F>, <F>).sum() | float(null) | <F> | <N>
`);

const TEXTS = rules(`
  <T> + <T> | <T> * 2 | 2 * <T> | <T>.toUpper() | <T>.toLower() | <T>.trim() | <T>.trim(a)
  <T>.trimLeft() | <T>.trimRight('b,') | <T>.trimLeft(<T>) | str(<N>) | str(<F>) | str(<B>)
  str(null) | str(<L>.toList()) | str(<D>) | str(<T>) | <T>.replace(<T>, <T>)
  <T>.replace(a, <T>, 1) | <T>.replace({a => b, b => c}) | <T>.replace({a => 1}, 1)
  <T>.substring(1) | <T>.substring(0, 2) | <T>.substring(-2) | <T>.substring(<N>, <N>)
  <S>.join(<T>) | <T>.join(<S>) | <L>.select(str($)).join('-')
  <S>.first()
  <S>.last(<T>) | <S>[0] | <T>.norm() | norm(<T>) | hex(<N>) | <S>.max() | <S>.min() | <S>.sum()
  <S>.aggregate($1 + $2) | <S>.aggregate($1 + $2, x) | switch(<B> => <T>, not <B> => <T>)
  coalesce(<T>, b) | coalesce(null, <T>) | <N>.switchCase(<T>, <T>) | escapeRegex(<T>)
  regex('[ab]').replace(<T>, x) | regex(a).replace(<T>, b, 1)
  <T>.replaceBy(regex('(a)(b)?'), $.value + '!') | regex('a').replaceBy(<T>, $.toUpper())
  regex('(?P<w>\\\\w)').search(<T>, $w.value) | regex('b').search(<T>)
  regex('a(.)').search(<T>, $2.value) | <T>[0] | <G>.first().k | <D>.keys().orderBy($).first()
  let(x => <T>) -> $x + $x | <T>.toCharArray().last() | <T> + str(<N>)
  str([<F>, null, true, <T>]) | str({<T> => <F>})
`);

const BOOLEANS = rules(`
  <N> > <N> | <N> < <F> | <N> >= <N> | <N> <= <N> | <N> = <N> | <N> != <F> | <T> = <T>
  <T> != <T> | <T> > <T> | <T> <= <T> | <T> < <T> | <T> >= <T> | <B> and <B> | <B> or <B>
  not <B> | <A> = <A> | <A> != <A> | <N> = <T> | null < <N> | <T> > null | null >= null
  null = <A> | null <= <F> | <T> in <T> | <N> in <L> | <T> in <S> | <L>.contains(<N>)
  <L>.any() | <L>.any(<p>) | <L>.all() | <L>.all(<p>) | any(<S>, <q>) | all(<L>) | isEmpty(<L>)
  isEmpty(<T>) | <T>.isEmpty() | isEmpty(<D>) | <T>.startsWith(<T>) | <T>.startsWith(a, <T>)
  <T>.endsWith(<T>) | <T>.endsWith(<T>, b) | <D>.containsKey(<T>) | <D>.containsValue(<N>)
  a in <D>.keys() | isBoolean(<A>) | isBoolean(<B>) | isNumber(<A>) | isNumber(<F>)
  isInteger(<A>) | isInteger(<F>) | isString(<A>) | isString(<T>) | isList(<A>) | isList(<L>)
  isDict(<A>) | isDict(<D>) | isSet(<U>) | isSet(<A>) | isIterable(<A>) | isIterable(<T>)
  isRegex(<A>) | isRegex(regex(a)) | bool(<A>) | bool(<N>) | bool(<L>) | bool(<T>) | <T> =~ 'a+'
  <T> !~ '^b' | regex('^a').matches(<T>) | <T>.matches('[a-z]*$')
  <T> =~ regex('A', ignoreCase => true) | <U> < <U> | <U> >= <U> | <U> = <U> | <N> in <U>
  <U>.contains(<N>) | <L>.toList() = <L>.toList() | <D> = <D> | random() < 1
  isNumber(random(1, 3)) | <B> = 1 | <L>.splitAt(1).len() = 2
`);

const LISTS = rules(`
  <L>.select(<n>) | <L>.where(<p>) | <L>.filter(<p>) | <L>.map(<n>) | <L>.select(<n>).toList()
  <L>.skip(<c>) | <L>.limit(<c>) | <L>.take(<c>) | <L>.append(<N>) | <L>.append(<N>, <T>)
  append(<L>, <N>) | <L>.distinct() | <L>.distinct($ mod 2) | <L>.orderBy($) | <L>.orderBy(-$)
  <L>.orderByDescending($) | <L>.orderBy($ mod 2).thenBy($)
  <L>.orderBy($ mod 2).thenByDescending($) | <L>.reverse() | <L>.concat(<L>) | concat(<L>, <S>)
  <L> + <L> | <L>.toList() + [<N>] | <L>.toList() * 2 | 2 * [<N>] | <L>.slice(2)
  <L>.splitWhere(<p>) | <L>.sliceWhere(<p>) | <L>.splitAt(<c>) | <L>.takeWhile(<p>)
  <L>.skipWhile(<p>) | <L>.enumerate() | <L>.enumerate(1) | <L>.zip(<S>) | <L>.zip(<S>, <L>)
  <L>.zipLongest(<S>) | <L>.zipLongest(<S>, default => 0) | <L>.join(<L>, $1 = $2, [$1, $2])
  <L>.join(<S>, true, $2) | <L>.groupBy($ mod 2) | <L>.groupBy($ mod 2, $ + 1)
  <L>.groupBy($ mod 2, $, $.sum()) | <L>.groupBy($ > 1, $, [$[0], $[1].sum()])
  <L>.accumulate($1 + $2) | <L>.accumulate($1 + $2, <N>) | <L>.insert(<c>, <N>)
  <L>.insertMany(<c>, <L>) | <L>.delete(<c>) | <L>.delete(<c>, 1) | <L>.replace(<c>, <N>)
  <L>.replace(<c>, <N>, 2) | <L>.replaceMany(<c>, <L>) | <L>.replaceMany(<c>, <L>, <c>)
  <L>.memorize() | <L>.defaultIfEmpty(<L>) | <L>.selectMany([$, $]) | <L>.selectMany(range($))
  flatten([<L>.toList(), [<N>]]) | [[<N>], [[1]]].flatten() | list(<L>, <N>) | list(<N>, <N>)
  range(<c>) | range(1, 5) | range(0, 9, 3) | range(3, 0, -1) | sequence().limit(3)
  sequence(2, 3).take(2) | <L>.cycle().limit(5) | <N>.repeat(2) | repeat(<T>, 3)
  generate(1, $ < 9, $ * 2) | generate(<c>, $ < 4, $ + 1, $ * 3)
  generate(1, $ < 4, $ mod 3 + 1, decycle => true)
  generateMany(1, switch($ < 3 => [$ + 1, $ + 2], true => []))
  generateMany(1, switch($ < 3 => [$ + 1], true => []), $ * 2, depthFirst => true)
  <D>.values() | <D>.values().toList() | <U>.orderBy($) | <G>.select($.v) | <G>.v
  <S>.select(len($)) | selectAllCases(<B>, <B>, true) | examine(<B>, <B>)
  <L>.where($ in [1, 2]) | <L>.toSet().orderBy($) | [<N>, <N>].unpack() -> [$1, $2]
  <L>.unpack(a, b) -> [$b, $a] | <L>.select($ / 2) | <L>.select($ / 2.0) | [<F>, <F>]
  [<F>, <N>].orderBy($) | <L>.where($ > <c>).select(<n>) | <L>.limit(2).toList()
  let(<L>) -> $.len() | <L>.any(<p>) and <B> | range(250) | range(201).toList()
  <L>.deleteAll(<c>)
`);

const TEXT_LISTS = rules(`
  <S>.select(<t>) | <S>.where(<q>) | <S>.orderBy($) | <S>.orderByDescending(len($))
  <S>.orderBy(len($)).thenBy($) | <T>.split(',') | <T>.split() | <T>.split(a, 1)
  <T>.split(null, 1) | <T>.split(<T>) | <T>.rightSplit(',') | <T>.rightSplit(a, 1)
  <T>.rightSplit() | <T>.toCharArray() | <D>.keys().toList() | <S>.distinct()
  <S>.concat(<S>) | <S> + <S> | <S>.reverse() | <S>.limit(<c>) | <S>.skip(1) | <S>.append(<T>)
  <S>.enumerate() | <S>.groupBy(len($)) | <S>.groupBy(<t>) | <S>.toDict(<t>)
  regex(',').split(<T>) | <T>.split(regex('[,b]')) | regex('[ab]').split(<T>, 1)
  regex('.').searchAll(<T>) | regex('(.)(b)?').searchAll(<T>, $.value) | <S>.insert(0, <T>)
  <S>.delete(0) | <S>.zip(<S>) | <S>.select($.split(',')) | <S>.selectMany($.toCharArray())
  <S>.where($ =~ '^a') | <G>.k | <S>.toSet().orderBy($) | characters(digits => true).len()
  characters(octdigits => true, lowercase => true).orderBy($) | <S>.takeWhile(<q>)
  <S>.splitWhere(<q>) | <S>.accumulate($1 + $2) | <S>.select(dict(a => $)) | <S>.slice(2)
  list(<T>, <T>) | <S>.memorize() | <S>.defaultIfEmpty([x])
`);

const DICTIONARIES = rules(`
  <D> + <D> | <D>.set(a, <N>) | <D>.set(<T>, <N>) | <D>.set({b => <N>})
  <D>.set(b => <N>, c => <N>) | <D>.delete(a) | <D>.delete(a, b) | <D>.deleteAll([a])
  dict(<D>.items()) | <S>.toDict($) | <S>.toDict($, len($)) | <L>.toDict(str($), $ * 2)
  <D>.mergeWith(<D>) | <D>.mergeWith({a => [1]}) | {a => [1, <N>]}.mergeWith({a => [1]})
  {a => [1]}.mergeWith({a => [1, 2]}, $1 + $2)
  {a => 1}.mergeWith({a => <N>}, itemMerger => $1 + $2)
  {a => {b => 1}}.mergeWith({a => {c => <N>}}, maxLevels => 1) | dict(<T> => <N>, a => <F>)
  dict([[<T>, <N>], [a, 2]]) | {<T> => <F>, b => <L>.toList()} | <G>.toDict($.k, $.v)
  <G>.groupBy($.k, $.v) | dict(<L>.select([str($), $]))
  {a => <D>} | let(d => <D>) -> $d.set(z, 1)
  dict(<D>.items().where($[1] > <c>)) | <D>.keys().toDict($, 1) | <D>
`);

const ODD_DICTIONARIES = rules(`
  {<N> => <A>} | {<B> => <N>, null => <F>} | {<F> => 1, <N> => 2} | <L>.toDict($) | <K> + <K>
  <K>.set(<N>, <T>) | <K>.delete(<N>) | dict(<K>.items()) | <K>.mergeWith(<K>) | <L>.toDict($, [$])
`);

const DICTIONARY_LISTS = rules(`
  <G>.where(<r>) | <G>.select(<h>) | <G>.orderBy($.v) | <G>.orderByDescending($.k).thenBy($.v)
  <G>.groupBy($.k) | <G>.select($.set(v, 1)) | <G>.append(<D>) | <G>.concat(<G>)
  <G>.join(<L>, $1.v = $2, $1.k) | <G>.distinct($.k) | <G>.select([$.k, $.v])
  <G>.select({$.k => $.v}) | <G>.takeWhile(<r>)
`);

const SETS = rules(`
  <L>.toSet() | set(<N>, <N>) | <U>.union(<U>) | <U>.intersect(<U>) | <U>.difference(<U>)
  <U>.symmetricDifference(<U>) | <U>.add(<N>) | <U>.remove(<N>) | <U> + <U> | <U> - <U>
  <S>.toSet() | <D>.keys().toSet() | <D>.keys() | <D>.items()
`);

const ANYTHING = rules(`
  <N> | <F> | <T> | <B> | <L> | <S> | <D> | <G> | [<A>, <A>] | <L>.toList() | {a => <A>}
  <A> -> $ | let(<A>) -> $ | coalesce(<A>, <A>)
`);

export const PRODUCTIONS: Readonly<Record<Sort, readonly string[]>> = {
  N: NUMBERS,
  F: FLOATS,
  T: TEXTS,
  B: BOOLEANS,
  L: LISTS,
  S: TEXT_LISTS,
  D: DICTIONARIES,
  G: DICTIONARY_LISTS,
  K: ODD_DICTIONARIES,
  U: SETS,
  A: ANYTHING,
  c: [],
  x: [],
  n: rules(`
  $ + <c> | $ * <c> | $ - <n> | [$, <n>] | {a => <n>} | switch(<p> => <n>, true => <c>)
  abs(<n>) | range($) | $ / 2 | $ mod 3
`),
  t: rules(`
  $ + <x> | $.replace(<x>, <x>) | [$, <t>] | {$ => <t>} | $.substring(<c>) | $.split(<x>)
  $.indexOf(<x>) | switch(<q> => <t>, true => <x>)
`),
  h: rules("[<h>, <h>] | {a => <h>} | str(<h>) | $.set(w, <c>)"),
  p: rules(`
  $ > <c> | $ < <c> | <p> and <p> | not <p> | <n> = <c> | $ in [<c>, <c>] | <p> or $ = <c>
`),
  q: rules(`
  $.startsWith(<x>) | <q> and <q> | not <q> | len($) > <c> | $ > <x> | $ =~ 'a' | <t> = <x>
`),
  r: rules("$.v > <c> | <r> or <r> | not <r> | $.k in [<x>, <x>]"),
};
