import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { batchGraph } from "#lib/groups/child-template.ts";
import { memberBody } from "#lib/groups/member-definition.ts";
import { membersOf } from "#lib/groups/record.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { GroupSpec, ResourceSpec, Spec } from "./spec.ts";

const textsOf = (properties: Json | undefined): Readonly<Record<string, string>> =>
  properties === undefined || !isJsonObject(properties)
    ? {}
    : Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)]));

export const specOfGroup = ({ record }: GroupSource): Spec => {
  const { barriers, barrierOf } = batchGraph(record);
  const members = membersOf(record).map(({ name, definition }): [string, ResourceSpec] => {
    const { type, properties } = memberBody(definition, name);
    const before = barrierOf.get(name);
    return [
      name,
      {
        type: String(type),
        properties: textsOf(properties),
        after: before === undefined ? [] : [before],
      },
    ];
  });
  const between = barriers.map(({ name, requires }): [string, ResourceSpec] => [
    name,
    { type: BARRIER_TYPE, after: requires },
  ]);
  return Object.fromEntries([...members, ...between]);
};

export const wantedMember = (
  { member }: GroupSpec,
  name: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(member.properties ?? {}).map(([key, text]) => [
      key,
      text.replaceAll("%index%", name),
    ]),
  );
