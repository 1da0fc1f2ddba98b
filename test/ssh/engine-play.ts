/**
 * The script of containers with the networks, ports and volumes of a real Podman and a real Docker.
 * Both run in a network namespace of their own, because the machine shares that of this process.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { containerScript, type WantedContainer } from "#lib/resources/machine/container-script.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import { IMAGE } from "./container-play.ts";
import { type Machine, SHARED } from "./machine.ts";
import { act, playSteps, type Step } from "./scripts-play.ts";

export const ENGINES = ["podman", "docker"] as const;
type EngineName = (typeof ENGINES)[number];

const REGISTRY = fileURLToPath(new URL("./image-registry.ts", import.meta.url));
const REGISTRY_PORT = 20_025;
const NETWORK = "/run/hearth-test-net";
const inNetwork = (command: string): string =>
  `nsenter --net=${NETWORK} sh <<'END-OF-COMMAND'\n${command}\nEND-OF-COMMAND`;

const START: Readonly<Record<EngineName, string>> = {
  podman: "echo started",
  docker: `(setsid dockerd --data-root /var/lib/containers/docker --exec-root /run/docker > /run/dockerd.log 2>&1 &)
for look in $(seq 100); do docker version > /dev/null 2>&1 && break; sleep 0.1; done
docker import ${SHARED}/bare.tar ${IMAGE} > /dev/null && echo started`,
};

const PAGE: WantedContainer = {
  name: "page",
  image: IMAGE,
  command: ["sh", "-c", 'echo "$TEXT" > /www/index.html; exec httpd -f -p 80 -h /www'],
  environment: new Map([["TEXT", "two\nlines"]]),
  ports: [{ address: "127.0.0.1", hostPort: 8080, port: 80, protocol: "tcp" }],
  volumes: [{ source: "www", path: "/www", isReadOnly: false }],
  networks: ["front", "back"],
  restart: "on-failure",
};

const READ = "sleep 0.5; wget -qO- http://127.0.0.1";

const stepsOf = (engine: EngineName): readonly Step[] => {
  const pageAct = (action: string, given: Partial<WantedContainer> = {}): string =>
    act(containerScript({ ...PAGE, ...given }, engine), action, "page");
  const other = { ports: [{ address: "", hostPort: 8081, port: 80, protocol: "tcp" }] };
  const there = /^code 0 \| page running volume www$/;
  // Podman cannot pause without control groups.
  const paused = [
    { run: `${engine} pause page`, wanted: /paused/ },
    { run: pageAct("CHECK", other), wanted: /page is paused\s+code 1/ },
    { run: pageAct("UPDATE", other), wanted: there },
  ];
  return [
    { run: `for one in front back; do ${engine} network create $one; done`, wanted: /\| $/ },
    { run: pageAct("CREATE"), wanted: there },
    { run: `${READ}:8080`, wanted: /^two\nlines \|/ },
    { run: pageAct("CHECK"), wanted: there },
    { run: `${engine} network disconnect back page`, wanted: /running/ },
    { run: pageAct("CHECK"), wanted: /page differs in: networks\s+code 1/ },
    { run: pageAct("UPDATE"), wanted: there },
    { run: pageAct("CHECK"), wanted: there },
    { run: pageAct("UPDATE", other), wanted: there },
    {
      run: `${READ}:8081; wget -qO- http://127.0.0.1:8080 || echo refused`,
      wanted: /^two\nlines\nrefused/,
    },
    {
      run: pageAct("UPDATE", { networks: ["nowhere"] }),
      wanted: /^there is no network nowhere\s+code 1/,
    },
    { run: `${READ}:8081`, wanted: /^two\nlines \|/ },
    ...(engine === "docker" ? paused : []),
    { run: pageAct("DELETE"), wanted: /^code 0 \| $/ },
    { run: `${engine} network rm front back`, wanted: /front\s+back \| $/ },
  ];
};

const shown = (engine: EngineName) => (machine: Machine) =>
  machine.run(
    `(${engine} ps --all --format '{{.Names}} {{.Status}}' | sed 's/ Up .*Paused.*/ paused/; s/ Up .*/ running/'; ${engine} volume ls --format 'volume {{.Name}}') | paste -sd ' '`,
  );

const playEngine = (machine: Machine, engine: EngineName): Result => {
  const started = machine.run(inNetwork(START[engine]));
  const steps = stepsOf(engine).map((step) => ({ ...step, run: inNetwork(step.run) }));
  const name = `${engine}: a page on two networks and a volume, with a port of the machine`;
  const result = playSteps(machine, name, steps, shown(engine));
  machine.run("pkill -x dockerd");
  return started.endsWith("started") ? result : { name, wrong: [started] };
};

const PULLED = `127.0.0.1:${REGISTRY_PORT}/page:1`;
/** The registry has the image under every name. */
const imageSteps = (): readonly Step[] => {
  const own = { image: PULLED, networks: ["host"], ports: [], command: ["sleep", "1d"] };
  const pull = (action: string, name: string, image = PULLED): string =>
    act(containerScript({ ...PAGE, ...own, volumes: [], name, image }, "podman"), action, name);
  const other = PULLED.replace("page", "other");
  return [
    { run: pull("CREATE", "page"), wanted: /^code 0 \| page running page:1$/ },
    { run: pull("CREATE", "page"), wanted: /^code 0 \| page running page:1$/ },
    { run: pull("CREATE", "second"), wanted: /^code 0 \| page running second running page:1$/ },
    { run: pull("DELETE", "page"), wanted: /^code 0 \| second running page:1$/ },
    { run: pull("UPDATE", "second", other), wanted: /^code 0 \| second running other:1$/ },
    { run: pull("UPDATE", "second", "127.0.0.1:1/none:1"), wanted: /refused[\s\S]*second running/ },
    { run: pull("DELETE", "second"), wanted: /^code 0 \| $/ },
  ];
};

/** A pulled image is removed with the last container of Hearth that uses it. */
export const playImages = async (machine: Machine): Promise<readonly Result[]> => {
  machine.run(`rm -rf ${SHARED}/oci; podman save --format oci-dir -o ${SHARED}/oci ${IMAGE}`);
  // The registry needs a process of its own, because the steps of a play block this one.
  const words = [REGISTRY, join(machine.shared, "oci"), String(REGISTRY_PORT)];
  const registry = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  await once(registry.stdout, "data");
  const name = "an image is pulled, and goes with the last container of it";
  const steps = imageSteps();
  const show = (one: Machine): string =>
    one.run(
      "(podman ps --all --format '{{.Names}} {{.Status}}' | sed 's/ Up .*/ running/' | sort; podman images --format '{{.Repository}}:{{.Tag}}' | sed -n 's|^127.*/||p') | paste -sd ' '",
    );
  const result = playSteps(machine, name, steps, show);
  registry.kill("SIGKILL");
  return [result];
};

export const playEngines = (
  machine: Machine,
  engines: readonly EngineName[],
): readonly Result[] => {
  machine.run(`: > ${NETWORK}; unshare --net=${NETWORK} ip link set lo up`);
  return engines.map((engine) => playEngine(machine, engine));
};
