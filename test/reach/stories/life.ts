import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { STORY_MS_MAX, until } from "../../agents/rig.ts";
import { ends } from "../../aws/lane.ts";
import type { ProgramEnd } from "../../aws/run-program.ts";
import { bootstrapOnce, type Site, type Story } from "../site.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/own-server", import.meta.url));
const GREETER = "/var/lib/hearth-agent/greeter";

const done = ({ exitCode, printed }: ProgramEnd): string => {
  equal(exitCode, 0, printed);
  return printed.trim();
};

const pageOf = async (site: Site): Promise<string> =>
  done(await site.hearth("stack", "outputs", "greeter", "page"));

const UNTRUSTED_AGENT = `
node /opt/hearth/hearth-agent.mjs --metadata-url-file /etc/hearth-agent.url --root /tmp/untrusting --interval-ms 100 > /tmp/untrusting.log 2>&1 &
until grep -q 'document polled' /tmp/untrusting.log; do sleep 0.2; done
kill $!
cat /tmp/untrusting.log`;

const ownServer: Story = {
  name: "the line of examples/own-server creates, updates and deletes its stack over TLS, through a rotation of the signing key",
  play: async (site) => {
    const template = join(EXAMPLE, "server.yaml");
    done(await site.hearth("stack", "create", "greeter", "-t", template, "--no-wait"));
    const stack = await site.client.findStack("greeter");
    const line = await bootstrapOnce(site, "greeter");
    match(line, /^echo \S+ \| base64 -d \| gunzip \| sudo sh\n$/);
    await site.machine.run(line.trim());
    await ends(site, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    match(await pageOf(site), /^Hello, \["Ada", ?"Grace"\]$/);
    equal(
      await site.machine.run("stat -c '%U %a %n' /etc/hearth-agent.url /etc/hearth-ca.pem"),
      "hearth-agent 600 /etc/hearth-agent.url\nroot 644 /etc/hearth-ca.pem",
    );
    match(await site.machine.run("cat /etc/hearth-agent.url"), new RegExp(`^${site.agentsUrl}/`));
    const processes = await site.machine.run("ps -o user:20=,args= ax");
    match(processes, /^hearth-agent +\S*node \/opt\/hearth\/hearth-agent\.mjs /m);

    const update = ["-t", template, "--parameter", "greeting=Welcome"];
    done(await site.hearth("stack", "update", "greeter", ...update));
    match(await pageOf(site), /^Welcome, /);
    for (const action of ["suspend", "resume"]) done(await site.hearth("stack", action, "greeter"));
    const rotated = done(await site.hearth("keys", "rotate", "--data", site.data, "--json"));
    const { signs } = JSON.parse(rotated);
    await until("the host signs with the new key", async () =>
      (await bootstrapOnce(site, "greeter", "--format", "script")).includes(`kid=${signs}&`),
    );
    equal(await site.machine.run(`ls ${GREETER} > /dev/null && echo there`), "there");
    done(await site.hearth("stack", "delete", "greeter", "--yes"));
    equal(await site.machine.run(`[ -e ${GREETER} ] || echo gone`), "gone");
  },
};

const untrusting: Story = {
  name: "an agent, curl and the commands refuse the host without its authority",
  play: async (site) => {
    match(await site.machine.run(UNTRUSTED_AGENT), /"state":"(SELF_SIGNED|UNABLE_TO)/);
    const curl = `curl -sS -o /dev/null ${site.agentsUrl}/ || echo refused $?`;
    match(await site.machine.run(curl), /certificate[\s\S]*refused 60$/);
    const alone = await site.hearthWith({ HEARTH_CA_FILE: "" }, "stack", "list");
    equal(alone.exitCode, 1);
    match(alone.printed, /does not trust the certificate of .*--ca-file/);
  },
};

const doctor: Story = {
  name: "the doctor finds the host sound from the machine's side",
  play: async (site) => {
    const findings: { verdict: string; check: string }[] = JSON.parse(
      done(await site.hearth("doctor", "--json")),
    ).findings;
    deepEqual(
      findings.filter(({ verdict }) => verdict !== "ok").map(({ check }) => check),
      [],
    );
  },
};

export const lifeStories: readonly Story[] = [ownServer, untrusting, doctor];
