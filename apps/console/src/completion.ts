import { PropertiesShape, type TypeProperty } from "#client/wire.ts";
import type { Words } from "./completion-words.ts";
import { type Cursor, cursorIn, entriesOf, valueIn } from "./yaml-cursor.ts";

export interface Option {
  readonly label: string;
  readonly detail?: string;
  readonly info?: string;
  readonly apply?: string;
  readonly boost?: number;
}

export interface Completions {
  readonly typed: number;
  readonly options: readonly Option[];
}

const ROOT_KEYS = [
  "heat_template_version",
  "description",
  "parameters",
  "parameter_groups",
  "conditions",
  "resources",
  "outputs",
];
const RESOURCE_KEYS = [
  "type",
  "properties",
  "metadata",
  "depends_on",
  "condition",
  "update_policy",
  "deletion_policy",
  "external_id",
];
const ENTRY_KEYS: Readonly<Record<string, readonly string[]>> = {
  resources: RESOURCE_KEYS,
  parameters: [
    "type",
    "label",
    "description",
    "default",
    "hidden",
    "constraints",
    "immutable",
    "tags",
  ],
  outputs: ["description", "value", "condition"],
};
const PARAMETER_TYPES = ["string", "number", "json", "comma_delimited_list", "boolean"];
const POLICIES = ["Delete", "Retain", "Snapshot"];
const PSEUDO_PARAMETERS = ["OS::stack_name", "OS::stack_id", "OS::project_id"];

const keyOption = (label: string): Option => ({ label, apply: `${label}: ` });
const plain = (labels: Iterable<string>): readonly Option[] =>
  [...labels].map((label) => ({ label }));

const propertyOption = ([name, property]: readonly [string, TypeProperty]): Option => {
  const { type, required, update_allowed: inPlace, description } = property;
  const notes = [type, required ? "required" : null, inPlace ? null : "a change replaces"];
  return {
    ...keyOption(name),
    detail: notes.filter((note) => note !== null).join(", "),
    ...(required ? { boost: 1 } : {}),
    ...(description === undefined ? {} : { info: description }),
  };
};

type Properties = Readonly<Record<string, TypeProperty>>;

/** The schema of a list has the properties of its items under `*`. */
const inside = (property: TypeProperty | undefined): Properties => {
  const members: Properties = PropertiesShape.safeParse(property?.["schema"]).data ?? {};
  const items = members["*"];
  return items === undefined ? members : inside(items);
};

interface Place {
  readonly text: string;
  readonly words: Words;
}

const resourceType = ({ text, words }: Place, name: string | undefined) => {
  const type = valueIn(entriesOf(text, "resources").get(name ?? ""), "type");
  return type === null ? null : words.type(type);
};

const propertyOptions = async (
  place: Place,
  path: readonly string[],
): Promise<readonly Option[]> => {
  const [, name, , ...steps] = path;
  const type = await resourceType(place, name);
  const properties = steps.reduce<Properties>(
    (known, step) => inside(known[step]),
    type?.properties ?? {},
  );
  const known = Object.entries(properties).map(propertyOption);
  return known.length > 0 || steps.length === 0 ? known : functionOptions(place);
};

const functionOptions = async ({ text, words }: Place): Promise<readonly Option[]> => {
  const version = /^heat_template_version:\s*["']?([\w-]+)/m.exec(text)?.[1];
  return version === undefined ? [] : (await words.functions(version)).map(keyOption);
};

const attributeOptions = async (place: Place, name: string | undefined) =>
  Object.entries((await resourceType(place, name))?.attributes ?? {}).map(
    ([label, { description }]): Option =>
      description === undefined ? { label } : { label, info: description },
  );

const namesIn = ({ text }: Place, section: string): readonly Option[] =>
  plain(entriesOf(text, section).keys());

const WORD_END = String.raw`["']?([\w.:-]*)$`;

/** Calls at the end of the line. The last group is the word at the cursor. */
const CALLS: readonly (readonly [
  RegExp,
  (place: Place, first: string) => Promise<readonly Option[]> | readonly Option[],
])[] = [
  [
    new RegExp(String.raw`get_attr:\s*\[\s*["']?([\w.-]+)["']?\s*,\s*${WORD_END}`),
    attributeOptions,
  ],
  [new RegExp(`get_attr:\\s*\\[\\s*${WORD_END}`), (place) => namesIn(place, "resources")],
  [new RegExp(`get_resource:\\s*${WORD_END}`), (place) => namesIn(place, "resources")],
  [
    new RegExp(`get_param:\\s*\\[?\\s*${WORD_END}`),
    (place) => [...namesIn(place, "parameters"), ...plain(PSEUDO_PARAMETERS)],
  ],
  [/depends_on:\s*(?:\[.*[[,])?\s*([\w.-]*)$/, (place) => namesIn(place, "resources")],
  [/depends_on:\s*\[\s*([\w.-]*)$/, (place) => namesIn(place, "resources")],
  [new RegExp(`\\{\\s*${WORD_END}`), functionOptions],
];

const valueOptions = async (place: Place, { path, key }: Cursor): Promise<readonly Option[]> => {
  const [section] = path;
  if (path.length !== 2) return [];
  if (section === "resources" && key === "type") return plain(await place.words.types());
  if (section === "resources" && key === "deletion_policy") return plain(POLICIES);
  if (section === "parameters" && key === "type") return plain(PARAMETER_TYPES);
  return key === "condition" ? namesIn(place, "conditions") : [];
};

const keyOptions = async (place: Place, { path }: Cursor): Promise<readonly Option[]> => {
  const [section = "", , part] = path;
  if (path.length === 0) return ROOT_KEYS.map(keyOption);
  if (path.length === 2) return (ENTRY_KEYS[section] ?? []).map(keyOption);
  if (section === "resources" && part === "depends_on") return namesIn(place, "resources");
  if (section === "resources" && part === "properties") return propertyOptions(place, path);
  return section === "outputs" && part === "value" ? functionOptions(place) : [];
};

/** @returns null when nothing is known for the place of the cursor, which is the offset `at`. */
export const completionsAt = async (
  text: string,
  at: number,
  words: Words,
): Promise<Completions | null> => {
  const before = text.slice(0, at);
  const cursor = cursorIn(before);
  const place = { text, words };
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/^\s*#/.test(line)) return null;
  for (const [pattern, optionsOf] of CALLS) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const typed = (found.at(-1) ?? "").length;
    return { typed, options: await optionsOf(place, found[1] ?? "") };
  }
  if (cursor === null) return null;
  const options = await (cursor.key === null ? keyOptions : valueOptions)(place, cursor);
  return options.length === 0 ? null : { typed: cursor.typed.length, options };
};
