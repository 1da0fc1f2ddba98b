import { type AgentScript, agentScript } from "#lib/resources/machine/agent-script.ts";
import { packageScript, type WantedPackage } from "#lib/resources/machine/package.ts";
import { serviceScript, type WantedService } from "#lib/resources/machine/service.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import type { Machine } from "./machine.ts";

/** A repository of four packages. `one` and `two` need `shared`, and `own` needs `two`. */
const REPOSITORY = `
set -eu
mkdir -p /var/cache/hearth-test && cd /var/cache/hearth-test
deb() {
  rm -rf build && mkdir -p build/DEBIAN build/usr/share/hearth-test
  echo "$1 $2" > "build/usr/share/hearth-test/$1"
  printf 'Package: hearth-%s\\nVersion: %s\\nArchitecture: all\\nMaintainer: Test <test@example.org>\\nDescription: of a test\\n%s' "$1" "$2" "$3" > build/DEBIAN/control
  dpkg-deb --build build "$1-$2.deb" > /dev/null
  dpkg-deb --field "$1-$2.deb" >> Packages
  printf 'Filename: ./%s\\nSize: %s\\nSHA256: %s\\n\\n' "$1-$2.deb" "$(stat -c %s "$1-$2.deb")" "$(sha256sum < "$1-$2.deb" | cut -d ' ' -f 1)" >> Packages
}
: > Packages
deb shared 1 ''
deb one 1 'Depends: hearth-shared
'
deb one 2 'Depends: hearth-shared
'
deb two 1 'Depends: hearth-shared
'
deb own 1 'Depends: hearth-two
'
echo 'deb [trusted=yes] file:/var/cache/hearth-test ./' > /etc/apt/sources.list.d/hearth-test.list
apt-get -qq -o Dir::Etc::SourceList=/dev/null update
`;
const NO_REPOSITORY = "rm -rf /var/cache/hearth-test /etc/apt/sources.list.d/hearth-test.list";

const packages = (machine: Machine): string =>
  machine.run(`dpkg-query -W -f '\${Package}=\${Version} ' 'hearth-*' 2>/dev/null`).trim();

export interface Step {
  readonly run: string;
  readonly wanted: RegExp;
}

/** Runs the script as the agent does: from a file, with the action in the environment. */
export const act = (
  script: AgentScript,
  action: string,
  resourceName: string,
  id = resourceName,
): string => {
  const holder = { id, stackId: "stack-1", stackName: "site", resourceName };
  const text = Buffer.from(agentScript(script, holder)).toString("base64");
  return `f=$(mktemp); echo ${text} | base64 -d > $f; deploy_action=${action} sh $f 2>&1; code=$?; rm $f; echo "code $code"`;
};

const packageAct = (action: string, name: string, version: WantedPackage["version"] = null) =>
  act(packageScript({ name: `hearth-${name}`, version }), action, name);

export const playSteps = (
  machine: Machine,
  name: string,
  steps: readonly Step[],
  show: (machine: Machine) => string,
): Result => {
  const before = machine.files();
  const wrong: string[] = [];
  for (const { run, wanted } of steps) {
    const seen = `${machine.run(run)} | ${show(machine)}`;
    if (!wanted.test(seen)) wrong.push(`${JSON.stringify(seen)} and not ${wanted.source}`);
  }
  const after = machine.files();
  const left = after.filter((line) => !before.includes(line));
  const missing = before.filter((line) => !after.includes(line));
  return { name, wrong: [...wrong, ...left, ...missing] };
};

const PACKAGE_STORIES: Readonly<Record<string, readonly Step[]>> = {
  "a package comes with what it needs, and goes with that": [
    { run: packageAct("CREATE", "one", "1"), wanted: /code 0 \| hearth-one=1 hearth-shared=1$/ },
    { run: packageAct("CREATE", "one", "1"), wanted: /^code 0 \|/ },
    { run: packageAct("CHECK", "one", "1"), wanted: /^code 0 \|/ },
    { run: packageAct("UPDATE", "one", "2"), wanted: /code 0 \| hearth-one=2 hearth-shared=1$/ },
    { run: packageAct("CHECK", "one", "1"), wanted: /hearth-one is 2\s+code 1/ },
    { run: packageAct("DELETE", "one", "2"), wanted: /^code 0 \| $/ },
    { run: packageAct("DELETE", "one", "2"), wanted: /^code 0 \| $/ },
  ],
  "what two packages need goes with the last of them": [
    { run: packageAct("CREATE", "one"), wanted: /code 0 \| hearth-one=2 hearth-shared=1$/ },
    { run: packageAct("CREATE", "two"), wanted: /code 0 \| .*hearth-two=1$/ },
    { run: packageAct("DELETE", "one"), wanted: /code 0 \| hearth-shared=1 hearth-two=1$/ },
    { run: packageAct("DELETE", "two"), wanted: /code 0 \| $/ },
  ],
  "what somebody else needs stays, and the delete says so": [
    { run: packageAct("CREATE", "two"), wanted: /code 0 \|/ },
    { run: "apt-get -qq install -y hearth-own > /dev/null; echo own", wanted: /hearth-own=1/ },
    { run: packageAct("DELETE", "two"), wanted: /still needed: hearth-shared hearth-two\s+code 1/ },
    { run: "dpkg --purge hearth-own > /dev/null; echo gone", wanted: /gone \| hearth-shared/ },
    { run: packageAct("DELETE", "two"), wanted: /code 0 \| $/ },
  ],
  "a package that was there stays, in its version": [
    { run: "apt-get -qq install -y hearth-one=1 > /dev/null; echo own", wanted: /hearth-one=1/ },
    { run: packageAct("CREATE", "one", "2"), wanted: /there already, in version 1\s+code 1/ },
    { run: packageAct("CREATE", "one"), wanted: /^code 0 \| hearth-one=1/ },
    { run: packageAct("UPDATE", "one", "2"), wanted: /was there before, and is now 1\s+code 1/ },
    { run: packageAct("DELETE", "one"), wanted: /^code 0 \| hearth-one=1 hearth-shared=1$/ },
    { run: "dpkg --purge hearth-one hearth-shared > /dev/null; echo gone", wanted: /gone \| $/ },
  ],
  "a package that nobody has is an error, and leaves nothing": [
    { run: packageAct("CREATE", "none"), wanted: /Unable to locate package[\s\S]*code 100/ },
    { run: packageAct("DELETE", "none"), wanted: /^code 0 \| $/ },
  ],
};

const UNIT = "[Service]\nExecStart=/bin/sleep 1000\n[Install]\nWantedBy=multi-user.target\n";
const OWN: WantedService = { name: "hearth-test.service", unit: UNIT, runs: true, isEnabled: true };
const THERE: WantedService = { ...OWN, unit: null };

const serviceAct = (action: string, given: WantedService = OWN) =>
  act(serviceScript(given), action, "clock");

const services = (machine: Machine): string =>
  machine.run("systemctl is-active hearth-test; systemctl is-enabled hearth-test 2>&1 | tail -n 1");

const ADD_UNIT = `printf '${UNIT.replaceAll("\n", "\\n")}' > /etc/systemd/system/hearth-test.service; systemctl daemon-reload; echo added`;
const REMOVE_UNIT =
  "systemctl disable -q --now hearth-test; rm /etc/systemd/system/hearth-test.service; systemctl daemon-reload; echo removed";

const SERVICE_STORIES: Readonly<Record<string, readonly Step[]>> = {
  "a service comes with its unit, changes, and goes with it": [
    { run: serviceAct("CREATE"), wanted: /code 0 \| active\nenabled$/ },
    { run: serviceAct("CHECK"), wanted: /^code 0 \|/ },
    { run: "systemctl stop hearth-test", wanted: /inactive/ },
    { run: serviceAct("CHECK"), wanted: /hearth-test.service is inactive\s+code 1/ },
    { run: serviceAct("UPDATE"), wanted: /code 0 \| active/ },
    { run: "systemctl -q disable hearth-test", wanted: /disabled/ },
    { run: serviceAct("CHECK"), wanted: /hearth-test.service is disabled\s+code 1/ },
    { run: "echo '# mine' >> /etc/systemd/system/hearth-test.service", wanted: /active/ },
    { run: serviceAct("CHECK"), wanted: /hearth-test.service differs\s+code 1/ },
    { run: serviceAct("UPDATE", { ...OWN, runs: false }), wanted: /code 0 \| inactive\nenabled$/ },
    { run: serviceAct("DELETE"), wanted: /^code 0 \| inactive/ },
    { run: serviceAct("DELETE"), wanted: /^code 0 \| inactive/ },
  ],
  "a unit that fails is an error, and is removed": [
    {
      run: serviceAct("CREATE", { ...OWN, unit: "[Service]\nExecStart=/bin/false\n" }),
      wanted: /hearth-test.service is failed\s+code 1/,
    },
    { run: serviceAct("DELETE"), wanted: /^code 0 \| inactive/ },
  ],
  "a unit that was there gets its state back, and is not written over": [
    { run: serviceAct("CREATE", THERE), wanted: /the machine has no unit[\s\S]*code 1/ },
    { run: ADD_UNIT, wanted: /added \| inactive\ndisabled$/ },
    { run: serviceAct("CREATE"), wanted: /is there already\s+code 1/ },
    { run: serviceAct("CREATE", THERE), wanted: /code 0 \| active\nenabled$/ },
    { run: serviceAct("UPDATE"), wanted: /cannot get or lose its text[\s\S]*code 1/ },
    { run: serviceAct("DELETE"), wanted: /^code 0 \| inactive\ndisabled$/ },
    { run: REMOVE_UNIT, wanted: /removed \| inactive/ },
  ],
};

export const playScripts = (machine: Machine): readonly Result[] => {
  const made = machine.run(`(${REPOSITORY}) 2>&1 && echo made`);
  const repository = made.endsWith("made") ? [] : [made];
  return [
    { name: "packages for a test", wrong: repository },
    ...Object.entries(PACKAGE_STORIES).map(([name, steps]) =>
      playSteps(machine, name, steps, packages),
    ),
    ...Object.entries(SERVICE_STORIES).map(([name, steps]) =>
      playSteps(machine, name, steps, services),
    ),
    { name: "no package is left", wrong: [machine.run(NO_REPOSITORY)].filter(Boolean) },
  ];
};
