import { describe, expect, it } from "vitest";
import { changesBetween, didYouMean } from "#lib/authoring/template-words.ts";

describe("the number of changes between two words", () => {
  it.each([
    ["length", "length", 0],
    ["lenght", "length", 1],
    ["lngth", "length", 1],
    ["strin", "string", 1],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
  ])("%s, %s: %i", (left, right, changes) => {
    expect(changesBetween(left, right)).toBe(changes);
    expect(changesBetween(right, left)).toBe(changes);
  });
});

describe("did you mean", () => {
  it.each([
    ["lenght", ["width", "length", "lengths"], "length"],
    ["OS::Heat::valeu", ["OS::Heat::Value", "OS::Heat::None"], "OS::Heat::Value"],
    ["server", ["volume", "network"], null],
    ["port_x", ["port_a", "port_b"], "port_a"],
    ["ab", ["abc"], null],
    ["size", ["size"], null],
    ["value", ["Value", "value"], null],
    ["valeu", ["Value", "value"], "value"],
    ["valeu", ["value", "Value"], "value"],
  ])("%s among %j: %s", (word, known, expected) => {
    expect(didYouMean(word, known)).toBe(expected);
  });
});
