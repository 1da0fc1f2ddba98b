/**
 * The template of a group's members, made of the group's record. The members share their
 * definitions, whose values are never read as calls. The member's index is inserted whenever it is
 * read.
 */
import { BARRIER_TYPE, withoutBarriers } from "#lib/groups/barriers.ts";
import {
  type BatchGraph,
  batchGraph,
  type ChildVersion,
  childTemplate,
  templateDocument,
} from "#lib/groups/child-template.ts";
import { memberBody } from "#lib/groups/member-definition.ts";
import { groupOutputs, type Outputs } from "#lib/groups/outputs.ts";
import { AT_ONCE, groupRecord, latestOf, type Member, membersOf } from "#lib/groups/record.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEquals,
  mapOf,
  mergedMaps,
} from "#lib/json.ts";
import type { GroupKind, GroupSource, MemberDefinition } from "#lib/model/group-record.ts";
import { readDeletionPolicy } from "#lib/template/bind/definitions.ts";
import { quote, quoteSecret } from "#lib/template/functions/table.ts";
import { isJsonArray, member, sectionOf } from "#lib/template/json-shape.ts";
import { REDACTED, redactMembers } from "#lib/template/secrets.ts";
import type { OutputDefinition, ResourceDefinition, Template } from "#lib/template/template.ts";

/** The format in which Heat writes the templates of these groups. */
const versionOf = (kind: GroupKind): ChildVersion =>
  kind === "instance group" ? "HeatTemplateFormatVersion.2012-12-12" : "2015-04-30";

export const emptyGroupTemplate = (kind: GroupKind): JsonObject =>
  templateDocument(versionOf(kind), [], new Map());

const PLAIN = {
  dependsOn: [],
  externalId: null,
  description: "",
} as const;

export const MEMBER_VERSION = "2015-04-30";

const typeOf = ({ body }: MemberDefinition): string => {
  const type = member(body, "type");
  return typeof type === "string" ? type : "";
};

type Marked = (values: JsonObject) => JsonObject;

type OfMember = (one: Omit<ResourceDefinition, "properties">) => ResourceDefinition;

const withProperties = (definition: MemberDefinition, marked: Marked): OfMember => {
  const ofMember = (name: string) => sectionOf(memberBody(definition, name), "properties");
  const properties = marked(sectionOf(definition.body, "properties"));
  const hasIndex = definition.indexVar !== null && !jsonEquals(ofMember(""), properties);
  if (!hasIndex) return (one) => ({ ...one, properties });
  return (one) => ({
    ...one,
    get properties() {
      return marked(ofMember(one.name));
    },
  });
};

const memberNodes = (
  { record, isSequence, isSecret }: GroupSource,
  members: readonly Member[],
  { barrierOf }: BatchGraph,
): readonly ResourceDefinition[] => {
  const marked = isSecret ? quoteSecret : quote;
  const read = new Map(
    record.definitions.map((definition) => [
      definition,
      {
        type: typeOf(definition),
        deletionPolicy: readDeletionPolicy(
          member(definition.body, "deletion_policy") ?? null,
          MEMBER_VERSION,
        ),
        updatePolicy: quote(sectionOf(definition.body, "update_policy")),
        metadata: marked(sectionOf(definition.body, "metadata")),
        ofMember: withProperties(definition, marked),
      },
    ]),
  );
  return members.flatMap(({ name, definition }, at): ResourceDefinition[] => {
    const of = read.get(definition);
    if (of === undefined) return [];
    const barrier = barrierOf.get(name);
    const before = isSequence ? members[at - 1]?.name : undefined;
    const required = [barrier ?? [], before ?? []].flat();
    return [
      of.ofMember({
        ...PLAIN,
        name,
        type: of.type,
        metadata: of.metadata,
        deletionPolicy: of.deletionPolicy,
        updatePolicy: of.updatePolicy,
        requires: required.length === 0 ? PLAIN.dependsOn : required,
      }),
    ];
  });
};

const barrierNodes = ({ barriers }: BatchGraph): readonly ResourceDefinition[] =>
  barriers.map(({ name, properties, requires }) => ({
    ...PLAIN,
    name,
    type: BARRIER_TYPE,
    metadata: {},
    deletionPolicy: "Delete",
    updatePolicy: {},
    properties,
    requires,
  }));

const outputsOf = (group: GroupSource, members: readonly Member[]): Outputs =>
  groupOutputs(
    group,
    members.map(({ name }) => name),
  );

export const groupTemplate = (group: GroupSource): Pick<Template, "resources" | "outputs"> => {
  const members = membersOf(group.record);
  const graph = batchGraph(group.record);
  const nodes = [...memberNodes(group, members, graph), ...barrierNodes(graph)];
  const outputs = [...outputsOf(group, members)].map(
    ([name, value]): [string, OutputDefinition] => [
      name,
      { name, value, description: "No description given" },
    ],
  );
  return { resources: new Map(nodes.map((node) => [node.name, node])), outputs: new Map(outputs) };
};

const groupDocument = (group: GroupSource): JsonObject => {
  const members = membersOf(group.record);
  return childTemplate(group, versionOf(group.kind), outputsOf(group, members));
};

export const sizeOf = ({ record }: GroupSource): number => membersOf(record).length;

/** As in Heat, a check looks at the first member of each definition only. */
export const representatives = (group: GroupSource): GroupSource => {
  const found = new Map<MemberDefinition, Member>();
  for (const one of membersOf(group.record)) {
    if (!found.has(one.definition) && typeOf(one.definition) !== "") found.set(one.definition, one);
  }
  const record = groupRecord({
    ...group.record,
    definition: latestOf(group.record),
    members: [...found.values()],
    ...AT_ONCE,
  });
  return { ...group, record };
};

interface Target {
  readonly template: JsonObject;
  readonly group?: GroupSource | undefined;
  readonly sharesValues?: true | undefined;
}

export const wholeTemplate = ({ template, group, sharesValues }: Target): JsonObject => {
  if (group !== undefined) return groupDocument(group);
  if (sharesValues !== true) return template;
  const resources = withoutBarriers(sectionOf(template, "resources"));
  return mergedMaps<Json>(template, { resources });
};

const redacted = (body: JsonObject, key: string): JsonObject => {
  const section = member(body, key);
  return isJsonObject(section) ? { [key]: redactMembers(section, () => true) } : {};
};

/** A hidden parameter may be anywhere in these values. */
const withoutSecrets = ({ body, indexVar }: MemberDefinition): MemberDefinition => ({
  body: mergedMaps<Json>(body, redacted(body, "properties"), redacted(body, "metadata")),
  indexVar,
});

/** The template as users see it. Heat shows a group's secrets there; this does not. */
export const shownTemplate = ({ template, group }: Target): JsonObject => {
  if (group?.isSecret !== true) return wholeTemplate({ template, group });
  const definitions = group.record.definitions.map(withoutSecrets);
  return groupDocument({ ...group, record: { ...group.record, definitions } });
};

const calledValue = (values: JsonObject, call: Json): Json => {
  const [name, key] = isJsonArray(call) ? call : [call];
  const value = member(values, String(name)) ?? null;
  if (key === undefined || value === REDACTED || !isJsonObject(value)) return value;
  return member(value, String(key)) ?? null;
};

const inPlace = (values: JsonObject, body: JsonObject): JsonObject => {
  const properties = sectionOf(body, "properties");
  const entries = Object.entries(properties).map(([name, value]): [string, Json] => {
    const call = isJsonObject(value) ? member(value, "get_param") : undefined;
    return [name, call === undefined ? value : calledValue(values, call)];
  });
  return mapOf<Json>([...Object.entries(body), ["properties", mapOf(entries)]]);
};

const hiddenNames = (template: JsonObject): ReadonlySet<string> =>
  new Set(
    Object.entries(sectionOf(template, "parameters")).flatMap(([name, schema]) =>
      isJsonObject(schema) && member(schema, "hidden") === true ? [name] : [],
    ),
  );

/**
 * The template of a group whose members get their values from its parameters, as users see it: like
 * Heat's, with values in place of the calls. The stored template has calls, because user data may
 * look like a call.
 */
export const templateWithValues = (template: JsonObject, parameters: JsonObject): JsonObject => {
  const hidden = hiddenNames(template);
  const values = redactMembers(parameters, (name) => hidden.has(name));
  const resources = withoutBarriers(sectionOf(template, "resources"));
  const bodies = Object.keys(resources).map((name): [string, JsonObject] => [
    name,
    inPlace(values, sectionOf(resources, name)),
  ]);
  return templateDocument("2015-04-30", bodies, new Map());
};
