import type { Json, JsonObject } from "#provider/provider.ts";
import { packedTables } from "#providers/cloud-control/tables/packed-tables.ts";
import {
  readTables,
  type Shape,
  type TypeTable,
} from "#providers/cloud-control/tables/type-table.ts";

export const TYPES = [
  "AWS::ApiGateway::RestApi",
  "AWS::Athena::WorkGroup",
  "AWS::CloudWatch::Dashboard",
  "AWS::DynamoDB::Table",
  "AWS::EC2::Route",
  "AWS::EC2::VPC",
  "AWS::ECR::Repository",
  "AWS::ECS::Cluster",
  "AWS::Events::EventBus",
  "AWS::IAM::ManagedPolicy",
  "AWS::IAM::Role",
  "AWS::KMS::Key",
  "AWS::Kinesis::Stream",
  "AWS::Lambda::Function",
  "AWS::Logs::LogGroup",
  "AWS::S3::Bucket",
  "AWS::SNS::Topic",
  "AWS::SQS::Queue",
  "AWS::SSM::Parameter",
  "AWS::StepFunctions::StateMachine",
] as const;

const sample = (table: TypeTable, shape: Shape, name: string): Json => {
  if (shape === "i" || shape === "n") return 1;
  if (shape === "b") return true;
  if (shape === "s") return name;
  if (typeof shape === "string") return {};
  if ("ref" in shape) return sample(table, table.definitions[shape.ref] ?? "a", name);
  if ("list" in shape) return [sample(table, shape.list, name)];
  const needs = (shape.needs ?? []).map(
    (member) => [member, sample(table, shape.of[member] ?? "s", name)] as const,
  );
  return Object.fromEntries(needs);
};

const tables = readTables(packedTables());

const tableOf = (type: string): TypeTable => {
  const table = tables.table(type);
  if (table === null) throw new Error(`there is no ${type}`);
  return table;
};

const propertiesOf = (type: string, name: string): JsonObject => {
  const table = tableOf(type);
  const own = table.identifier.filter((path) => !table.readOnly.includes(path));
  const given = [...new Set([...table.needs, ...own])].map(
    (property) => [property, sample(table, table.properties[property] ?? "s", name)] as const,
  );
  return Object.fromEntries(given);
};

const changedIn = (type: string, name: string): JsonObject => {
  const { needs, properties, identifier, createOnly, perhapsCreateOnly, readOnly } = tableOf(type);
  const fixed = [...identifier, ...createOnly, ...perhapsCreateOnly, ...readOnly];
  const property = needs.find((one) => properties[one] === "s" && !fixed.includes(one));
  if (property === undefined) throw new Error(`${type} needs no text that can change`);
  return { [property]: `${name}-changed` };
};

export const templateOf = (resources: number, changesLast = false) => ({
  heat_template_version: "2021-04-16",
  resources: Object.fromEntries(
    Array.from({ length: resources }, (_, index) => {
      const type = TYPES[index % TYPES.length] ?? TYPES[0];
      const name = `thing-${index}`;
      const changed = changesLast && index === resources - 1 ? changedIn(type, name) : {};
      return [name, { type, properties: { ...propertiesOf(type, name), ...changed } }] as const;
    }),
  ),
});
