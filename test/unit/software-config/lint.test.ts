import { describe, expect, it } from "vitest";
import type { ConfigContent, ConfigInput } from "#lib/model/software-config.ts";
import { type LintedDelivery, lintDelivery } from "#lib/software-config/configs/lint.ts";

const input = (name: string, value: ConfigInput["value"]): ConfigInput => ({
  name,
  type: "String",
  ...(value === undefined ? {} : { value }),
});

const SIGNALLED = [
  input("deploy_signal_transport", "CFN_SIGNAL"),
  input("deploy_signal_id", "https://hearth.example/v1/agent/signal/1"),
];
const UNSIGNALLED = [input("deploy_signal_transport", "NO_SIGNAL")];

const script = (changes: Partial<ConfigContent> = {}): ConfigContent => ({
  name: "install",
  group: "script",
  config: "#!/bin/sh\n",
  inputs: SIGNALLED,
  outputs: [],
  options: {},
  ...changes,
});

const component = (entry: object): ConfigContent =>
  script({
    group: "component",
    config: { configs: [{ actions: ["CREATE"], config: "#!/bin/sh", tool: "script", ...entry }] },
  });

const lint = (content: ConfigContent, more: Partial<LintedDelivery> = {}) =>
  lintDelivery({ content, action: "CREATE", ...more });

describe("the lint", () => {
  it.each<[string, ConfigContent]>([
    ["a script", script()],
    ["a component with an entry for the action", component({})],
    ["a stock hook with typed values", script({ group: "ansible", config: "- hosts: all" })],
    ["files without a signal", script({ group: "os-apply-config", inputs: UNSIGNALLED })],
    ["an input with an empty value", script({ inputs: [...SIGNALLED, input("a", "")] })],
  ])("accepts %s", (_, content) => {
    expect(lint(content)).toEqual([]);
  });

  it.each<[string, ConfigContent, Partial<LintedDelivery>, RegExp]>([
    [
      "unknown_tool",
      script({ group: "python" }),
      {},
      /the stock agents have no hook called python/,
    ],
    ["unknown_tool", component({ tool: "pupet" }), {}, /called pupet/],
    ["group_without_signal", script({ group: "Heat::Ungrouped" }), {}, /send no signal for it/],
    ["component_without_entry", component({}), { action: "DELETE" }, /no config for DELETE/],
    ["missing_shebang", script({ config: "echo hello" }), {}, /does not begin with #!/],
    ["missing_shebang", component({ config: "echo hello" }), {}, /does not begin with #!/],
    ["script_is_no_text", script({ config: { a: 1 } }), {}, /is not text/],
    [
      "input_without_value",
      script({ inputs: [...SIGNALLED, input("a", undefined), input("b", null)] }),
      {},
      /without a value or a default: a, b$/,
    ],
    [
      "input_too_long",
      script({ inputs: [...SIGNALLED, input("big", "é".repeat(66_000))] }),
      {},
      /too long for a script's environment .*: big$/,
    ],
    [
      "two_signals",
      script({ inputs: [...SIGNALLED, input("deploy_queue_id", "q")] }),
      {},
      /second signal because of the inputs deploy_queue_id/,
    ],
    [
      "name_changed",
      script({ name: "0request" }),
      { givenName: "request" },
      /"request" is published as 0request/,
    ],
    [
      "output_name",
      script({ outputs: [{ name: "a/b", type: "String", error_output: false }] }),
      {},
      /names that no file can have: a\/b$/,
    ],
    ["verify_is_no_text", script({ options: { verify: ["x"] } }), {}, /a check runs nothing/],
    [
      "delete_without_signal",
      script({ inputs: UNSIGNALLED }),
      { actions: ["CREATE", "DELETE"] },
      /nothing waits for the DELETE script/,
    ],
  ])("warns by the rule %s", (rule, content, more, message) => {
    const warnings = lint(content, more);
    expect(warnings).toEqual([{ rule, message: expect.stringMatching(message) }]);
  });

  it("names only the first five of many", () => {
    const inputs = [..."abcdefgh"].map((name) => input(name, null));
    expect(lint(script({ inputs: [...SIGNALLED, ...inputs] }))).toMatchObject([
      { message: expect.stringMatching(/: a, b, c, d, e and 3 more$/) },
    ]);
  });
});
