import type { Dice } from "../dice.ts";

const METHODS =
  "abs,all,any,append,characters,coalesce,concat,contains,containsKey,containsValue,count,cycle,defaultIfEmpty,delete,deleteAll,difference,distinct,endsWith,enumerate,escapeRegex,first,flatten,generate,get,groupBy,hex,indexOf,indexWhere,insert,insertMany,int,intersect,isEmpty,items,join,joinRegex,keys,last,lastIndexOf,len,limit,list,map,matches,max,memorize,mergeWith,min,norm,orderBy,orderByDescending,random,range,reduce,aggregate,accumulate,regex,repeat,replace,replaceBy,reverse,rightSplit,round,search,searchAll,select,selectMany,set,sign,single,skip,skipWhile,slice,sliceWhere,sort,split,splitAt,splitWhere,startsWith,str,substring,sum,switch,symmetricDifference,take,takeWhile,thenBy,toCharArray,toDict,toList,toLower,toSet,toUpper,trim,trimLeft,union,unpack,values,where,zip,zipLongest".split(
    ",",
  );

const FUNCTIONS =
  "abs,bitwiseNot,bitwiseAnd,bitwiseOr,bool,call,coalesce,concat,dict,def,escapeRegex,float,format,generate,generateMany,int,isBoolean,isDict,isInteger,isList,join,let,list,max,min,pow,random,range,regex,repeat,round,selectCase,sequence,set,shiftBitsLeft,shiftBitsRight,sign,str,switch,switchCase,sum,with,zip,assert,examine".split(
    ",",
  );

const CONSTANTS = [
  "1",
  "0",
  "-1",
  "2.5",
  "true",
  "false",
  "null",
  "'a'",
  "''",
  '"b,c"',
  "'(a+)+$'",
  "'a{2,500}'",
  "'\\u0000'",
  "1000000",
  "99999999999999999999999",
  "$",
  "$.data",
  "$data",
  "$.data.a",
  "$.data.list",
  "$.data.constructor",
  "$.data.get('__proto__')",
  "$.data[0]",
  "[1, 2, 3]",
  "{a => 1, b => $}",
  "dict(a => 1)",
  "range(5)",
  "range(100000000)",
  "sequence()",
  "list(1, [2, 3])",
  "set(1, 2)",
];

const SIGNS = [
  "+",
  "-",
  "*",
  "/",
  "mod",
  "=",
  "!=",
  "<",
  ">",
  "<=",
  ">=",
  "and",
  "or",
  "in",
  "=~",
  "!~",
  "->",
  ".",
  "?.",
];

const BINARY = SIGNS.filter((sign) => !["->", ".", "?."].includes(sign));

const WORDS = [
  "$",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  "=>",
  ".",
  "'",
  '"',
  "`",
  "not",
  "x",
  "\u0000",
  "\u{1f600}",
  "\\",
];

const argumentsOf = (dice: Dice, depth: number): string => {
  const values = dice.some(3, () => valid(dice, depth - 1));
  const named = dice.chance(10) ? [`${dice.pick(["a", "key", "value"])} => 1`] : [];
  return [...values, ...named].join(", ");
};

const valid = (dice: Dice, depth: number): string => {
  if (depth <= 0) return dice.pick(CONSTANTS);
  const inner = (): string => valid(dice, depth - 1);
  const kind = dice.below(12);
  if (kind < 4) return `${inner()}.${dice.pick(METHODS)}(${argumentsOf(dice, depth)})`;
  if (kind < 6) return `${dice.pick(FUNCTIONS)}(${argumentsOf(dice, depth)})`;
  if (kind < 8) return `(${inner()} ${dice.pick(dice.slip(20) ? SIGNS : BINARY)} ${inner()})`;
  if (kind === 8) return `(${inner()})`;
  if (kind === 9) return `(${dice.pick(["not", "-", "+"])} ${inner()})`;
  if (kind === 10) return `${inner()}[${inner()}]`;
  return dice.pick(CONSTANTS);
};

const scrambled = (dice: Dice): string =>
  dice.some(12, () => dice.pick(dice.chance(50) ? WORDS : [...SIGNS, ...CONSTANTS])).join("");

export const yaqlText = (dice: Dice): string =>
  dice.slip(20) ? scrambled(dice) : valid(dice, 1 + dice.below(4));
