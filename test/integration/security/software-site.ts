/**
 * A server with one deployment that waits for its signal, on any host, and the two URLs of its
 * agent.
 */
import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";

export const SOFTWARE_TEMPLATE: JsonObject = {
  heat_template_version: "2016-10-14",
  parameters: { word: { type: "string", hidden: true, default: "" } },
  resources: {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: {
        group: "script",
        config: "#!/bin/sh",
        inputs: [{ name: "word" }],
        outputs: [{ name: "result" }],
      },
    },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        input_values: { word: { get_param: "word" } },
        actions: ["CREATE", "UPDATE", "SUSPEND"],
      },
    },
  },
  outputs: { agent: { value: { get_attr: ["server", "os_collect_config"] } } },
};

export interface SoftwareSite {
  readonly serverId: string;
  readonly metadataUrl: string;
  readonly signalUrl: string;
}

const documentShape = z.object({
  deployments: z.array(
    z.object({ inputs: z.array(z.looseObject({ name: z.string(), value: z.unknown() })) }),
  ),
});

export const readSite = async (metadataUrl: string): Promise<SoftwareSite | null> => {
  const { deployments } = documentShape.parse(await (await fetch(metadataUrl)).json());
  const input = deployments[0]?.inputs.find(({ name }) => name === "deploy_signal_id");
  if (!input) return null;
  const serverId = idOf(metadataUrl);
  return { serverId, metadataUrl, signalUrl: String(input.value) };
};

export const idOf = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";

export const withQuery = (url: string, name: string, value: string | null): string => {
  const changed = new URL(url);
  if (value === null) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed.href;
};

/** The URL with the query of another URL: the signature is valid, but for something else. */
const withQueryOf = (url: string, other: string): string =>
  new URL(url).origin + new URL(url).pathname + new URL(other).search;

export interface Attempt {
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly body?: string;
  readonly status: number;
  readonly kind: string;
}

const LONG_BODY_CHARS = 1_048_577;

const tampered = (name: string, url: string, method: string): readonly Attempt[] => {
  const attempt = (what: string, changed: string, kind = "bad_signature"): Attempt => ({
    name: `${name}, ${what}`,
    url: changed,
    method,
    status: 403,
    kind,
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  return [
    attempt("sig changed", withQuery(url, "sig", "AAAA")),
    attempt("sig left out", withQuery(url, "sig", null), "not_signed"),
    attempt("exp changed", withQuery(url, "exp", "9999999999")),
    attempt("exp left out", withQuery(url, "exp", null), "not_signed"),
    attempt("gen changed", withQuery(url, "gen", "99")),
    attempt("gen left out", withQuery(url, "gen", null), "not_signed"),
    attempt("kid changed", withQuery(url, "kid", "none"), "unknown_key"),
    attempt("kid left out", withQuery(url, "kid", null), "not_signed"),
    attempt("no query", url.replace(/\?.*/, ""), "not_signed"),
  ];
};

/**
 * Misuses that must be refused, each with its kind of evidence and the record that holds it: a
 * deployment or a server.
 */
export const attemptsOn = (site: SoftwareSite, other: SoftwareSite) => {
  const { metadataUrl: poll, signalUrl: signal } = site;
  const put = { method: "PUT", body: "{}" };
  const wrong = { status: 405, kind: "wrong_method" };
  const forged = { status: 403, kind: "bad_signature" };
  return {
    onServer: [
      ...tampered("a poll", poll, "GET"),
      { name: "a signal to the metadata URL", url: poll, ...put, ...wrong },
      { name: "a deletion of the document", url: poll, method: "DELETE", ...wrong },
      {
        name: "a poll signed for a signal",
        url: withQueryOf(poll, signal),
        method: "GET",
        ...forged,
      },
      {
        name: "a poll signed for another server",
        url: withQueryOf(poll, other.metadataUrl),
        method: "GET",
        ...forged,
      },
      {
        name: "a signal to the server's id",
        // Signals may go to another host than polls.
        url: withQueryOf(signal.replace(idOf(signal), idOf(poll)), poll),
        ...put,
        status: 404,
        kind: "wrong_scope",
      },
    ] satisfies readonly Attempt[],
    onDeployment: [
      ...tampered("a signal", signal, "PUT"),
      { name: "a look at the signal URL", url: signal, method: "GET", ...wrong },
      { name: "a signal signed for a poll", url: withQueryOf(signal, poll), ...put, ...forged },
      {
        name: "a signal signed for another deployment",
        url: withQueryOf(signal, other.signalUrl),
        ...put,
        ...forged,
      },
      {
        name: "a poll of the derived config's id",
        url: withQueryOf(poll.replace(idOf(poll), idOf(signal)), signal),
        method: "GET",
        status: 404,
        kind: "wrong_scope",
      },
      {
        name: "a signal that is too large",
        url: signal,
        method: "PUT",
        body: "x".repeat(LONG_BODY_CHARS),
        status: 413,
        kind: "too_large",
      },
      {
        name: "a signal that is no JSON",
        url: signal,
        method: "PUT",
        body: "{",
        status: 400,
        kind: "not_valid",
      },
    ] satisfies readonly Attempt[],
  };
};

export const attempt = async ({ url, method, body }: Attempt): Promise<number> => {
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body }) });
  await answer.text();
  return answer.status;
};

export const countsOf = (attempts: readonly Attempt[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(attempts, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );
