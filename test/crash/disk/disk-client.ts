import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "#lib/json.ts";
import { hearth } from "../../integration/cli/hearth-process.ts";
import { at, type HttpAnswer, send } from "../../integration/host/host-client.ts";
import type { RestartedHost } from "../host-process.ts";
import { eventually, pause, readObjects } from "../looks.ts";
import type { SmallDisk } from "./small-disk.ts";

export interface DiskSite {
  readonly disk: SmallDisk;
  readonly host: RestartedHost;
  readonly taken: string[];
  readonly refused: string[];
  readonly updates: string[];
}

export interface DiskStep {
  readonly name: string;
  play(site: DiskSite): Promise<void>;
}

const WAIT_MS_MAX = 30_000;
const LOOK_MS = 250;
const STOP_MS_MAX = 5_000;
const REFUSED_MS_MAX = 30_000;

export const chain = (waits: readonly number[], value = "1"): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    waits.map((seconds, index) => [
      `r${index}`,
      {
        type: "OS::Heat::TestResource",
        properties: { value, wait_secs: seconds },
        ...(index === 0 ? {} : { depends_on: `r${index - 1}` }),
      },
    ]),
  ),
});

export const ask = async (
  { host }: DiskSite,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<HttpAnswer> => send(await host.ready(), method, `/v1/demo/${path}`, body);

export const create = async (
  site: DiskSite,
  name: string,
  template: JsonObject,
): Promise<boolean> =>
  isAccepted(await ask(site, "POST", "stacks", { stack_name: name, template }), 201);

export const update = async (
  site: DiskSite,
  name: string,
  template: JsonObject,
): Promise<boolean> => isAccepted(await ask(site, "PUT", `stacks/${name}`, { template }), 202);

const isAccepted = (answer: HttpAnswer, status: number): boolean => {
  if (answer.status === status) return true;
  expectRefusal(answer);
  return false;
};

const expectRefusal = ({ status, headers, body }: HttpAnswer): void => {
  equal(status, 503, JSON.stringify(body));
  ok(Number(headers.get("Retry-After")) > 0, "the refusal has no Retry-After");
};

export const statusOf = async (site: DiskSite, name: string): Promise<string | null> => {
  const { status, body } = await ask(site, "GET", `stacks/${name}`);
  if (status === 404) return null;
  equal(status, 200, JSON.stringify(body));
  return String(at(body, "stack", "stack_status"));
};

export const waitForStatus = (site: DiskSite, name: string, wanted: string): Promise<string> =>
  eventually(`${name} is ${wanted}`, WAIT_MS_MAX, async () => {
    const { status, body } = await ask(site, "GET", `stacks/${name}`);
    if (status === 503) return null;
    const found = String(at(body, "stack", "stack_status"));
    ok(!found.endsWith("_FAILED"), `${name} is ${found}: ${JSON.stringify(body).slice(0, 500)}`);
    return found === wanted ? found : null;
  });

const faultOf = async (site: DiskSite): Promise<string | null> => {
  const { status, body } = await ask(site, "GET", "_health");
  equal(status, 200);
  const found = at(body, "health", "problems", 0, "found");
  return found === undefined ? null : String(found);
};

/** A disk that is almost full accepts a write now and then, so the fault comes and goes. */
export const waitForFault = async (site: DiskSite, found: RegExp): Promise<void> => {
  await eventually(`the health says ${found}`, WAIT_MS_MAX, async () => {
    const fault = await faultOf(site);
    return fault !== null && found.test(fault) ? fault : null;
  });
};

export const expectAnswers = async (site: DiskSite, found: RegExp): Promise<void> => {
  const url = await site.host.ready();
  await eventually("everybody is told", WAIT_MS_MAX, async () => {
    const { status, body } = await send(url, "GET", "/_health");
    equal(status, 200);
    return at(body, "storage") === "out-of-service" ? true : null;
  });
  const read = await ask(site, "GET", "stacks");
  if (read.status !== 200) expectRefusal(read);
  await eventually("hearth doctor names the storage", WAIT_MS_MAX, async () => {
    const { code, stdout } = await hearth(url, "doctor");
    if (!/wrong +storage /.test(stdout)) return null;
    match(stdout, found);
    equal(code, 1);
    return true;
  });
};

const FAULT_ENDED = "the storage is well again";

/** The host logs the end of a fault after several successful checks of the storage. */
export const waitForEndOfFault = async (site: DiskSite): Promise<void> => {
  await eventually("the log tells of the end", WAIT_MS_MAX, async () =>
    countLines(site, FAULT_ENDED) === 1 ? true : null,
  );
  equal(await faultOf(site), null);
};

const linesOf = ({ disk }: DiskSite): readonly string[] =>
  readFileSync(join(disk.folder, "host.log"), "utf8").split("\n");

const countLines = (site: DiskSite, words: string): number =>
  linesOf(site).filter((line) => line.includes(words)).length;

/** The host checks its storage once a second, so the line can follow a refusal. */
export const expectFaultsTold = async (site: DiskSite, faults: number): Promise<void> => {
  const count = () => countLines(site, "the storage has failed");
  await eventually(`the log tells of ${faults} faults`, WAIT_MS_MAX, async () =>
    count() >= faults ? true : null,
  );
  equal(count(), faults);
};

export const expectNoEndTold = (site: DiskSite): void => equal(countLines(site, FAULT_ENDED), 0);

export const expectNoStackTrace = (site: DiskSite): void =>
  deepEqual(
    linesOf(site).filter((line) => /^\s+at |^node:|Node\.js v/.test(line)),
    [],
  );

const CREATION_LINE = '"method":"POST"';

/**
 * Lines about refused requests would fill the disk of the log too. The host also logs the fault
 * itself from time to time, so only the lines of requests count.
 */
export const expectSilence = async (site: DiskSite, refusedMin: number): Promise<void> => {
  const before = countLines(site, CREATION_LINE);
  ok(before > 0, "the log names no request");
  for (let tries = 0; tries < refusedMin; tries += 1)
    equal(await create(site, "refused", chain([0])), false);
  equal(countLines(site, CREATION_LINE), before);
};

const eventsOf = async (site: DiskSite, name: string): Promise<readonly string[]> => {
  const { body } = await ask(site, "GET", `stacks/${name}/events?limit=1000`);
  const events = at(body, "events");
  return (Array.isArray(events) ? events : [])
    .map((event) => `${at(event, "resource_name")} ${at(event, "resource_status")}`)
    .toSorted();
};

/**
 * Each resource must have one event for the start of its creation, one for its end, and one object.
 * After a fault, events can follow the rows by up to a second.
 */
export const expectMadeOnce = async (
  site: DiskSite,
  name: string,
  resources: number,
): Promise<void> => {
  const names = [name, ...Array.from({ length: resources }, (_, index) => `r${index}`)];
  const wanted = names.flatMap((one) => [`${one} CREATE_COMPLETE`, `${one} CREATE_IN_PROGRESS`]);
  const told = await eventually(`${name} has its events`, WAIT_MS_MAX, async () => {
    const events = await eventsOf(site, name);
    return events.length >= wanted.length ? events : null;
  });
  deepEqual(told, wanted.toSorted());
  const objects = await readObjects(await site.host.ready());
  const made = objects.filter(({ stack_name }) => stack_name === name);
  deepEqual(made.map(({ logical_name }) => logical_name).toSorted(), names.slice(1).toSorted());
};

export const stop = async ({ host }: DiskSite): Promise<void> => {
  const begun = performance.now();
  const code = await host.stop();
  const ms = Math.round(performance.now() - begun);
  ok(ms < STOP_MS_MAX, `the host took ${ms} ms to end`);
  equal(code, 0);
};

/** @returns null once the host listens, or the sentence that it ended with. */
export const startAgain = async (site: DiskSite): Promise<string | null> => {
  const before = linesOf(site).length;
  await site.host.restart();
  const end = await Promise.race([
    site.host.ready().then(
      () => null,
      () => "ended",
    ),
    pause(REFUSED_MS_MAX).then(() => "silent"),
  ]);
  if (end === null) return null;
  await pause(LOOK_MS);
  const said = linesOf(site).slice(before - 1);
  equal(end, "ended", said.join("\n"));
  const [sentence = "", ...others] = said.filter((line) => line !== "");
  deepEqual(others, ["The host ended with 1"], said.join("\n"));
  match(sentence, /^ERROR: .* cannot be used: .*\.$/);
  return sentence;
};
