/** The lane of nested templates. Heat checks no value there, but its plugins read some. */
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { Lane } from "#test/differential/lane.ts";
import { chance, pick } from "#test/differential/values.ts";
import { hearthVerdict, withoutRandomNames } from "#test/tripleo/verdicts.ts";
import { openWorld } from "#test/unit/api/api-world.ts";
import { nestedRequest, PLACES } from "./nested-request.ts";
import { goodValues, withWrong } from "./property-values.ts";

const SCRIPT = fileURLToPath(new URL("../../tripleo/heat.py", import.meta.url));

/** For these types, Heat's answer comes from its own templates or from another service. */
const NEVER_ASKED: ReadonlySet<string> = new Set([
  // An installed openstack-heat lacks the template that Heat's own environment names.
  "AWS::CloudWatch::Alarm",
  "AWS::RDS::DBInstance",
  "AWS::ElasticLoadBalancing::LoadBalancer",
  // Heat fetches the template, or asks another Heat about it.
  "AWS::CloudFormation::Stack",
  "OS::Heat::Stack",
  // Heat checks this type with a call of Vitrage.
  "OS::Vitrage::Template",
]);

/** For these groups Heat asks Nova for the server to copy. */
const COPIES_SERVER = /^AWS::AutoScaling::(?:AutoScalingGroup|LaunchConfiguration)$/;

const askedOf = (name: string, schemas: PropertySchemas): PropertySchemas => {
  if (!COPIES_SERVER.test(name)) return schemas;
  return Object.fromEntries(Object.entries(schemas).filter(([key]) => key !== "InstanceId"));
};

interface AskedType {
  readonly name: string;
  readonly schemas: PropertySchemas;
}

const { ports } = openWorld();

const askedTypes = async (): Promise<readonly AskedType[]> => {
  const found: AskedType[] = [];
  for (const name of ports.resourceTypes.names()) {
    const { schema } = (await ports.resourceTypes.get(name)) ?? {};
    if (NEVER_ASKED.has(name) || name.startsWith("Hearth::")) continue;
    if (schema === undefined || schema.properties === "any") continue;
    found.push({ name, schemas: askedOf(name, schema.properties) });
  }
  return found;
};

const [FIRST_TYPE, ...OTHER_TYPES] = await askedTypes();

const SECOND_WRONG_PERCENT = 15;

export const nestedQuestion = (random: Random): JsonObject => {
  if (FIRST_TYPE === undefined) throw new Error("there is no resource type");
  const { name, schemas } = pick(random, [FIRST_TYPE, ...OTHER_TYPES]);
  const once = withWrong(random, schemas, goodValues(random, schemas));
  const isTwice = chance(random, SECOND_WRONG_PERCENT);
  return {
    place: pick(random, PLACES),
    type: name,
    properties: isTwice ? withWrong(random, schemas, once) : once,
  };
};

const RANDOM_NAME = /\b[a-z2-7]{12}\b/g;

const said = (verdict: Json | undefined): string | null => {
  const message = isJsonObject(verdict) ? verdict["message"] : undefined;
  return typeof message === "string"
    ? withoutRandomNames(message).replace(RANDOM_NAME, "MEMBER")
    : null;
};

/** POST /validate checks only the root template, so the answer of the create counts. */
const compared = ({ validate, create }: JsonObject): JsonObject => {
  const message = said(create);
  return { validate: said(validate), ...(message === null ? {} : { message }) };
};

export const nested: Lane = {
  operation: "verdicts",
  script: SCRIPT,
  share: 2,
  question: nestedQuestion,
  asked: (question) => ({ request: nestedRequest(question) }),
  subject: ({ place }) => `wrong value: ${place}`,
  ours: async (question) => {
    const request = nestedRequest(question);
    return {
      validate: { ...(await hearthVerdict(ports, "validate", request)) },
      create: { ...(await hearthVerdict(ports, "create", request)) },
    };
  },
  compared,
};
