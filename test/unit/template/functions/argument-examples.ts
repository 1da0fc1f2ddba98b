/** Arguments that a declaration allows or forbids, made from the declaration itself. */
import { isJsonNumber, isJsonObject, type Json, mapOf } from "#lib/json.ts";
import type { Place, Shape } from "#lib/template/functions/function.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";

/** Python reads a text as the list of its characters. No function accepts four items. */
export const NAME = "name";
/** One value for each type of JSON. A function can refuse nothing but the type of these. */
const VALUES: readonly Json[] = [NAME, 0, true, null, [], [NAME], {}, { [NAME]: NAME }];

const fitsOne = (shape: Shape, value: Json): boolean => {
  switch (shape.kind) {
    case "any":
      return true;
    case "something":
      return value !== null && !(isEmpty(value) && typeof value === "object");
    case "scalar":
      return value !== null && typeof value !== "object";
    case "nothing":
      return value === null;
    case "condition":
      return value === NAME || typeof value === "boolean";
    case "text":
      if (typeof value !== "string") return false;
      return shape.oneOf?.includes(value) ?? (shape.example ?? value) === value;
    case "integer":
      return isJsonNumber(value) && Number(value) >= shape.min && Number(value) <= shape.max;
    case "boolean":
      return value === shape.only;
    case "list":
      if (!isJsonArray(value) || value.length < shape.min) return false;
      return value.every((item) => fits(shape.values, item));
    case "map":
      if (!isJsonObject(value) || Object.keys(value).length < shape.min) return false;
      return Object.values(value).every((item) => fits(shape.values, item));
    case "row":
      return isJsonArray(value) && fitsRow(shape, value);
    case "keys":
      return isJsonObject(value) && fitsKeys(shape, value);
  }
};

const fitsRow = (
  { places, rest }: Extract<Shape, { kind: "row" }>,
  values: readonly Json[],
): boolean =>
  (rest || values.length <= places.length) &&
  values.length >= places.filter(({ optional }) => !optional).length &&
  values.every((value, at) => {
    const place = places[at] ?? places.at(-1);
    return place !== undefined && fits(place.shapes, value);
  });

const fitsKeys = (
  { places, open }: Extract<Shape, { kind: "keys" }>,
  value: Readonly<Record<string, Json>>,
): boolean =>
  (open || Object.keys(value).every((key) => places.some(({ name }) => name === key))) &&
  places.every(({ name, shapes, optional }) => {
    const given = member(value, name);
    return given === undefined ? optional === true : fits(shapes, given);
  });

export const fits = (shapes: readonly Shape[], value: Json): boolean =>
  shapes.some((shape) => fitsOne(shape, value));

const exampleOf = (shape: Shape): Json => {
  switch (shape.kind) {
    case "any":
    case "something":
    case "scalar":
    case "condition":
      return NAME;
    case "text":
      return shape.oneOf?.[0] ?? shape.example ?? NAME;
    case "integer":
      return Math.max(shape.min, 0);
    case "boolean":
      return shape.only;
    case "nothing":
      return null;
    case "list":
      return Array.from({ length: Math.max(shape.min, 1) }, () => firstOf(shape.values));
    case "map":
      return { [NAME]: firstOf(shape.values) };
    case "row":
      return shape.places.map(({ shapes }) => firstOf(shapes));
    case "keys":
      return mapOf(shape.places.map(({ name, shapes }) => [name, firstOf(shapes)]));
  }
};

const firstOf = ([shape]: readonly Shape[]): Json =>
  shape === undefined ? null : exampleOf(shape);

export interface Candidate {
  readonly value: Json;
  /** When present, a call stands in one place and gives this value. */
  readonly call?: { readonly given: Json; readonly written: boolean };
}

type Make = (inner: Json) => Json;

const plain = (values: readonly Json[]): readonly Candidate[] => values.map((value) => ({ value }));

const inPlace = (place: Place, call: Json, make: Make): readonly Candidate[] => {
  const { shapes } = place;
  const written = place.written === true;
  const calls = shapes
    .filter(({ kind }) => kind !== "nothing")
    .map((shape) => ({
      value: call,
      call: { given: exampleOf(shape), written },
    }));
  const inner = shapes.flatMap((shape) => candidatesIn(shape, call));
  return [...plain(VALUES), ...calls, ...inner].map((one) => ({ ...one, value: make(one.value) }));
};

const candidatesIn = (shape: Shape, call: Json): readonly Candidate[] => {
  const example = exampleOf(shape);
  if (isJsonArray(example)) {
    const shorter = example.map((_, count) => example.slice(0, count));
    const places = shape.kind === "row" ? shape.places : [];
    return [
      ...plain([example, ...shorter, [...example, NAME]]),
      ...places.flatMap((place, at) => inPlace(place, call, (inner) => example.with(at, inner))),
      ...(shape.kind === "list"
        ? inPlace({ shapes: shape.values }, call, (inner) => example.map(() => inner))
        : []),
    ];
  }
  if (!isJsonObject(example)) return plain([example]);
  const entries = Object.entries(example);
  const fewer = entries.map(([name]) => mapOf(entries.filter(([key]) => key !== name)));
  const places = shape.kind === "keys" ? shape.places : [];
  const more = shape.kind === "keys" ? [mapOf([...entries, ["other", NAME]])] : [];
  return [
    ...plain([example, ...fewer, ...more]),
    ...places.flatMap((place) =>
      inPlace(place, call, (inner) => mapOf([...entries, [place.name, inner]])),
    ),
    ...(shape.kind === "map"
      ? inPlace({ shapes: shape.values }, call, (inner) => ({ [NAME]: inner }))
      : []),
  ];
};

export const candidatesFor = (takes: Place, call: Json): readonly Candidate[] =>
  inPlace(takes, call, (inner) => inner);
