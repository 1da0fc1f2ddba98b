import { mkdtempSync, renameSync } from "node:fs";
import { join } from "node:path";
import { containerScript, type WantedContainer } from "#lib/resources/machine/container-script.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import { layOutRoot } from "../docker/images.ts";
import { type Machine, SHARED } from "./machine.ts";
import { act, playSteps, type Step } from "./scripts-play.ts";

export const IMAGE = "docker.io/library/busybox:1.36";
const OTHER_IMAGE = "localhost/other:1";

export const addImages = async (machine: Machine, folder: string): Promise<boolean> => {
  const place = mkdtempSync(join(folder, "image-"));
  if ((await layOutRoot(place, ["busybox-static"])) === null) return false;
  renameSync(join(place, "bare.tar"), join(machine.shared, "bare.tar"));
  for (const image of [IMAGE, OTHER_IMAGE]) {
    machine.run(`podman import --quiet --change ENV=A=${image} ${SHARED}/bare.tar ${image}`);
  }
  return true;
};

export const containersOf = (machine: Machine): string =>
  machine.run(
    "podman ps --all --external --format '{{.Names}} {{.Status}}' | sed 's/ Up .*/ running/; s/ Exited .*/ exited/; s/ Created.*/ created/' | sort; podman volume ls --format 'volume {{.Name}}'",
  );

const BOX: WantedContainer = {
  name: "box",
  image: IMAGE,
  // The command ends on SIGTERM.
  command: ["sh", "-c", "trap 'exit 0' TERM; sleep 1000 & wait"],
  environment: new Map(),
  ports: [],
  volumes: [],
  networks: ["host"],
  restart: "always",
};

const boxAct = (action: string, given: Partial<WantedContainer> = {}, id?: string) =>
  act(containerScript({ ...BOX, ...given }), action, "box", id);
const otherAct = (action: string, given: Partial<WantedContainer> = {}) =>
  act(containerScript({ ...BOX, ...given }), action, "other");

const ID = "podman inspect --format '{{.Id}}' box";
const SAME = `${ID} | cmp - /run/box.id 2>&1 && echo same; ${ID} > /run/box.id`;

const SECRET = `it's "secret" $HOME \\\\ #1
and its second line `;
const ENVIRONMENT = new Map([
  ["PASSWORD", SECRET],
  ["EMPTY", ""],
  ["record", "/nowhere"],
  ["discovery.type", "single-node"],
  ["PATH", "/bin:/nowhere"],
  ["HOME", "/tmp"],
  ["UID", "7"],
  ["DOCKER_HOST", "tcp://192.0.2.1"],
  ["CONTAINER_HOST", "tcp://192.0.2.1"],
  ["LD_PRELOAD", ""],
]);
const SHOW_ENVIRONMENT =
  'podman exec box sh -c \'printf "%s|" "$PASSWORD" "$EMPTY" "$record" "$PATH" "$HOME" "$UID" "$DOCKER_HOST"\'; podman exec box env | grep discovery';

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  "a container comes, is left alone by a repetition, and goes": [
    { run: boxAct("CREATE"), wanted: /^code 0 \| box running$/ },
    { run: SAME, wanted: /box running/ },
    { run: boxAct("CREATE"), wanted: /^code 0 \| box running$/ },
    { run: boxAct("UPDATE"), wanted: /^code 0 \| box running$/ },
    { run: SAME, wanted: /^same \| box running$/ },
    { run: boxAct("CHECK"), wanted: /^code 0 \|/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
    { run: boxAct("CHECK"), wanted: /box is not known on this machine any more\s+code 1/ },
  ],
  "variables arrive as they are, and nobody else sees them": [
    {
      run: `(while sleep 0.01; do cat /proc/[0-9]*/cmdline 2>/dev/null; done) > /run/seen & ${boxAct("CREATE", { environment: ENVIRONMENT })}; kill $!; grep -c podman /run/seen | sed 's/[1-9][0-9]*/looked/'; grep -ca 'sec[r]et' /run/seen; grep -rl 'sec[r]et' /var/lib/hearth-machine; rm /run/seen`,
      wanted: /code 0\nlooked\n0/,
    },
    {
      run: SHOW_ENVIRONMENT,
      wanted:
        /^it's "secret" \$HOME \\\\ #1\nand its second line \|\|\/nowhere\|\/bin:\/nowhere\|\/tmp\|7\|tcp:\/\/192.0.2.1\|discovery.type=single-node/,
    },
    { run: boxAct("CHECK", { environment: ENVIRONMENT }), wanted: /^code 0/ },
    { run: boxAct("CHECK"), wanted: /box differs in: settings\s+code 1/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
  ],
  "a change makes it anew in its place, and a wrong one leaves it": [
    { run: boxAct("CREATE"), wanted: /^code 0 \| box running$/ },
    { run: SAME, wanted: /box running/ },
    { run: boxAct("UPDATE", { image: OTHER_IMAGE }), wanted: /^code 0 \| box running$/ },
    { run: SAME, wanted: /differ/ },
    { run: "podman exec box sh -c 'echo $A'", wanted: /^localhost\/other:1 \|/ },
    {
      run: boxAct("UPDATE", { volumes: [{ source: "/no", path: "/no", isReadOnly: false }] }),
      wanted: /no such file or directory[\s\S]*code \d+ \| box running$/,
    },
    { run: SAME, wanted: /^same/ },
    {
      run: boxAct("CHECK", { image: OTHER_IMAGE, restart: "no" }),
      wanted: /box differs in: settings restart\s+code 1/,
    },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
  ],
  "what somebody else changes is told, and mended": [
    { run: boxAct("CREATE"), wanted: /^code 0/ },
    { run: "podman stop -t 0 box", wanted: /box exited$/ },
    { run: boxAct("CHECK"), wanted: /box has ended with the code 137\s+code 1/ },
    { run: SAME, wanted: /exited/ },
    { run: boxAct("UPDATE"), wanted: /^code 0 \| box running$/ },
    { run: SAME, wanted: /^same/ },
    { run: "podman rm -f -t 0 box", wanted: /\| $/ },
    { run: boxAct("CHECK"), wanted: /box is not there\s+code 1/ },
    { run: boxAct("UPDATE"), wanted: /^code 0 \| box running$/ },
    { run: `podman tag ${OTHER_IMAGE} ${IMAGE}`, wanted: /running/ },
    { run: boxAct("CHECK"), wanted: /box differs in: image\s+code 1/ },
    { run: boxAct("UPDATE"), wanted: /^code 0 \| box running$/ },
    { run: boxAct("CHECK"), wanted: /^code 0/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
    {
      run: `podman import --quiet --change ENV=A=${IMAGE} ${SHARED}/bare.tar ${IMAGE} | wc -l`,
      wanted: /^1 \|/,
    },
  ],
  "one that is killed together with its monitor is told, and made anew": [
    { run: boxAct("CREATE"), wanted: /^code 0/ },
    {
      run: "kill -9 $(podman inspect --format '{{.State.ConmonPid}} {{.State.Pid}}' box); sleep 1",
      // Podman still reports the killed container as running.
      wanted: /box running$/,
    },
    { run: boxAct("CHECK"), wanted: /box was killed together with its monitor\s+code 1/ },
    { run: boxAct("UPDATE"), wanted: /^code 0 \| box running$/ },
    { run: "podman exec box echo lives", wanted: /^lives/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
  ],
  "a command that ends is well if it may": [
    {
      run: boxAct("CREATE", { command: ["true"], restart: "no" }),
      wanted: /^code 0 \| box exited$/,
    },
    { run: boxAct("CHECK", { command: ["true"], restart: "no" }), wanted: /^code 0/ },
    {
      run: boxAct("UPDATE", { command: ["sh", "-c", "exit 3"], restart: "no" }),
      wanted: /box has ended with the code 3\s+code 1/,
    },
    {
      run: boxAct("UPDATE", { command: ["no-such-program"] }),
      wanted: /no-such-program[\s\S]*code \d+ \| box created$/,
    },
    { run: boxAct("DELETE"), wanted: /^code 0 \| $/ },
  ],
  "the container of somebody else stays": [
    {
      run: `podman run -d --quiet --name box --network host ${IMAGE} sleep 1000 | wc -l`,
      wanted: /^1 /,
    },
    { run: boxAct("CREATE"), wanted: /a container box is there already\s+code 1 \| box running$/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| box running$/ },
    { run: "podman rm -f -t 0 box", wanted: /\| $/ },
    { run: boxAct("CREATE"), wanted: /^code 0/ },
    {
      run: otherAct("CREATE"),
      wanted: /box belongs to the resource box of the stack site\s+code 1/,
    },
    { run: otherAct("DELETE"), wanted: /^code 0 \| box running$/ },
    {
      run: `podman rm -f -t 0 box; podman run -d --quiet --name box --network host ${IMAGE} sleep 9 | wc -l`,
      wanted: /running/,
    },
    { run: boxAct("UPDATE"), wanted: /container of somebody else by now\s+code 1/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| box running$/ },
    { run: "podman rm -f -t 0 box", wanted: /\| $/ },
  ],
  "a replacement takes the name, and outlives the delete of the old one": [
    { run: boxAct("CREATE"), wanted: /^code 0/ },
    { run: boxAct("CREATE", { image: OTHER_IMAGE }, "second"), wanted: /^code 0 \| box running$/ },
    { run: boxAct("DELETE"), wanted: /^code 0 \| box running$/ },
    { run: "podman exec box sh -c 'echo $A'", wanted: /^localhost\/other:1 \|/ },
    { run: boxAct("DELETE", { image: OTHER_IMAGE }, "second"), wanted: /^code 0 \| $/ },
  ],
  "a volume goes with the last container that uses it": [
    {
      run: boxAct("CREATE", { volumes: [{ source: "data", path: "/data", isReadOnly: false }] }),
      wanted: /^code 0 \| box running\nvolume data$/,
    },
    { run: "podman exec box sh -c 'echo mine > /data/file'", wanted: /running/ },
    {
      run: otherAct("CREATE", {
        name: "other",
        volumes: [{ source: "data", path: "/data", isReadOnly: true }],
      }),
      wanted: /^code 0 \| box running\nother running\nvolume data$/,
    },
    { run: boxAct("DELETE"), wanted: /^code 0 \| other running\nvolume data$/ },
    {
      run: "podman exec other sh -c 'cat /data/file; touch /data/new 2>&1'",
      wanted: /^mine\n.*Read-only/,
    },
    { run: otherAct("UPDATE", { name: "other" }), wanted: /^code 0 \| other running$/ },
    { run: otherAct("DELETE", { name: "other" }), wanted: /^code 0 \| $/ },
  ],
  "a volume that was there stays": [
    { run: "podman volume create data", wanted: /volume data/ },
    {
      run: boxAct("CREATE", { volumes: [{ source: "data", path: "/data", isReadOnly: false }] }),
      wanted: /^code 0/,
    },
    { run: boxAct("DELETE"), wanted: /^code 0 \| volume data$/ },
    { run: "podman volume rm data", wanted: /\| $/ },
  ],
};

export const playContainers = (machine: Machine, storiesMax: number): readonly Result[] =>
  Object.entries(STORIES)
    .slice(0, storiesMax)
    .map(([name, steps]) => playSteps(machine, name, steps, containersOf));

const killed = (action: string, killMs: number, given: Partial<WantedContainer> = {}): string =>
  boxAct(action, given).replace(
    /deploy_action=(\w+) sh \$f 2>&1;/,
    (_, name) =>
      `deploy_action=${name} setsid sh $f > /dev/null 2>&1 & sleep ${killMs / 1_000}; kill -KILL -- -$! 2> /dev/null; wait $! 2> /dev/null;`,
  );

/** A creation takes about two seconds. */
export const CUT_MOMENTS_MS = [400, 100, 200, 300, 500, 600, 700, 800, 1_000, 1_200] as const;

const WITH_VOLUME: Partial<WantedContainer> = {
  volumes: [{ source: "data", path: "/data", isReadOnly: false }],
};

const killStory = (killMs: number): readonly Step[] => {
  const there = /^code 0 \| box running\nvolume data$/;
  const changed = { ...WITH_VOLUME, image: OTHER_IMAGE };
  return [
    { run: killed("CREATE", killMs, WITH_VOLUME), wanted: /code/ },
    { run: boxAct("CREATE", WITH_VOLUME), wanted: there },
    { run: killed("UPDATE", killMs, changed), wanted: /code/ },
    { run: boxAct("UPDATE", changed), wanted: there },
    { run: boxAct("CHECK", changed), wanted: there },
    { run: killed("DELETE", killMs, changed), wanted: /code/ },
    { run: boxAct("DELETE", changed), wanted: /^code 0 \| $/ },
  ];
};

export const playContainerCuts = (
  machine: Machine,
  momentsMs: readonly number[],
): readonly Result[] =>
  momentsMs.map((killMs) =>
    playSteps(
      machine,
      `a container's script is killed ${killMs} ms after its start, in each action`,
      killStory(killMs),
      containersOf,
    ),
  );
