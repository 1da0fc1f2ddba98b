import type { Argument, Place, Shape } from "./function.ts";

export interface ArgumentText {
  readonly name: string;
  readonly shape: string;
  readonly meaning: string;
}

export interface FormText {
  readonly form: string;
  readonly arguments: readonly ArgumentText[];
}

const boundsText = (min: number, max: number): string => {
  if (Number.isFinite(min) && Number.isFinite(max)) return ` from ${min} to ${max}`;
  return Number.isFinite(min) ? ` of at least ${min}` : "";
};

const shapeText = (shape: Shape): string => {
  switch (shape.kind) {
    case "any":
      return "any value";
    case "something":
      return "any value that is not empty";
    case "scalar":
      return "text, number or boolean";
    case "condition":
      return "condition";
    case "nothing":
      return "null";
    case "text":
      return shape.oneOf === undefined ? "text" : shape.oneOf.join(", ");
    case "integer":
      return `integer${boundsText(shape.min, shape.max)}`;
    case "boolean":
      return String(shape.only);
    case "list":
    case "map":
      return `${shape.kind} of ${shape.min === 0 ? "" : `${shape.min} or more `}${group(shape.values)}`;
    case "row":
    case "keys":
      return formText(shape);
  }
};

const shapesText = (shapes: readonly Shape[]): string => shapes.map(shapeText).join(" or ");

const group = (shapes: readonly Shape[]): string =>
  shapes.length > 1 ? `(${shapesText(shapes)})` : shapesText(shapes);

const REST = "…";

const formText = (shape: Shape): string => {
  if (shape.kind !== "row" && shape.kind !== "keys") return shapeText(shape);
  const names = shape.places.map(({ name, optional }) => (optional ? `${name}?` : name));
  if (shape.kind === "row") return `[${[...names, ...(shape.rest ? [REST] : [])].join(", ")}]`;
  return `{${names.join(", ")}}`;
};

const textsOf = (argument: Argument): readonly ArgumentText[] => [
  {
    name: argument.name,
    shape: `${shapesText(argument.shapes)}${argument.written ? ", and no function" : ""}`,
    meaning: argument.meaning,
  },
  ...argument.shapes.flatMap(placesOf).flatMap(textsOf),
];

const placesOf = (shape: Shape): readonly Argument[] =>
  shape.kind === "row" || shape.kind === "keys" ? shape.places : [];

export const argumentTexts = ({ shapes }: Place): readonly FormText[] =>
  shapes.map((shape) => ({
    form: formText(shape),
    arguments: placesOf(shape).flatMap(textsOf),
  }));
