import { expect, it } from "vitest";
import { verdictOn } from "../../../tools/packaging/advisories.ts";

const report = (vulnerabilities: unknown) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities });

it.each([
  ["none", report({}), false, "0 packages have advisories, 0 of them high or critical"],
  [
    "a moderate one",
    report({ a: { severity: "moderate", range: "<2" } }),
    false,
    "1 packages have",
  ],
  ["a critical one", report({ a: { severity: "critical", range: "<2" } }), true, "critical: a <2"],
  [
    "a registry that has none",
    '{"message":"405 Method Not Allowed"}',
    false,
    "not run: the registry told no advisories (405 Method Not Allowed)",
  ],
  ["no answer", "", false, "not run: the registry told no advisories (npm has printed no report)"],
])("fails for a serious advisory, and says whether it could ask: %s", (_, text, failed, line) => {
  const verdict = verdictOn(text);
  expect(verdict.failed).toBe(failed);
  expect(verdict.lines.join("\n")).toContain(line);
});
