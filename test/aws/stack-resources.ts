/**
 * The resources that CloudFormation made for a stage. Emulators build physical names in their own
 * ways and shorten long ones, so they are looked up.
 */
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";
import { present } from "#lib/errors.ts";
import type { Connection } from "./connection.ts";

export interface StackResources {
  idOf(type: string, name: string): string;
  idsOf(type: string): ReadonlyMap<string, string>;
}

interface Resource {
  readonly name: string;
  readonly type: string;
  readonly id: string;
}

const API_VERSION = "2010-05-15";
/** The CDK ends each logical id with a hash of the construct's path. */
const HASH = /[0-9A-F]{8}$/;

/** CloudFormation has only a query API: the request is a form, and the answer is XML. */
const ask = async (connection: Connection, form: URLSearchParams): Promise<string> => {
  const { endpoint, region, credentials } = connection;
  const { protocol, hostname, host } = new URL(endpoint);
  const signer = new SignatureV4({
    credentials,
    region,
    service: "cloudformation",
    sha256: Hash.bind(null, "sha256"),
  });
  const body = form.toString();
  const { headers } = await signer.sign({
    method: "POST",
    protocol,
    hostname,
    path: "/",
    query: {},
    headers: { host, "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  const answer = await fetch(endpoint, { method: "POST", headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${form.get("Action")} is ${answer.status}: ${text}`);
  return text;
};

const field = (member: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(member)?.[1] ?? "";

export const resourcesIn = (xml: string): readonly Resource[] =>
  Array.from(xml.matchAll(/<member>(.*?)<\/member>/gs), ([, member = ""]) => ({
    name: field(member, "LogicalResourceId").replace(HASH, ""),
    type: field(member, "ResourceType"),
    id: field(member, "PhysicalResourceId"),
  }));

export const readStackResources = async (
  connection: Connection,
  StackName: string,
): Promise<StackResources> => {
  const form = { Action: "DescribeStackResources", Version: API_VERSION, StackName };
  const resources = resourcesIn(await ask(connection, new URLSearchParams(form)));
  const idsOf: StackResources["idsOf"] = (type) =>
    new Map(resources.filter((one) => one.type === type).map(({ name, id }) => [name, id]));
  return {
    idOf: (type, name) => present(idsOf(type).get(name), `${name}, ${type}, of ${StackName}`),
    idsOf,
  };
};
