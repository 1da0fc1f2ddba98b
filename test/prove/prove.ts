/** `npm run prove`: searches every configuration to its end. */
import type { Configuration } from "./configuration.ts";
import { Search } from "./search.ts";

const a = (v: string, more: object = {}) => ({ properties: { v, "r!": "0" }, ...more });
const b = (v: string) => ({ properties: { v }, refers: {to: "a"} });
const configs: Configuration[] = [
{ title: "1 create dup crash loss", requests: [{ action: "CREATE", spec: { a: a("1") } }], faults: { crash: 1, duplicate: 1, loss: 1, sweep: 1 }, workersMax: 2 },
{ title: "1 update in place", existing: {a: a("1")}, requests: [{ action: "UPDATE", spec: { a: a("2") } }], faults: { crash: 2, duplicate: 1}, workersMax: 2 },
{ title: "1 replace", existing: {a: a("1")}, requests: [{ action: "UPDATE", spec: { a: {properties: {v: "1", "r!": "2"}} } }], faults: { crash: 1, duplicate: 1}, workersMax: 2 },
{ title: "1 create overtaken by delete", requests: [{ action: "CREATE", spec: { a: a("1") } }, {action: "DELETE"}], faults: { crash: 1}, workersMax: 2 },
{ title: "1 create, update, dup", requests: [{ action: "CREATE", spec: { a: a("1") } }, { action: "UPDATE", spec: { a: a("2") } }], faults: { crash:1 }, workersMax: 2 },
{ title: "2 create", requests: [{ action: "CREATE", spec: { a: a("1"), b: b("1") } }], faults: { crash: 1, duplicate: 1 }, workersMax: 2 },
{ title: "2 update replace", existing: { a: a("1"), b: b("1") }, requests: [{ action: "UPDATE", spec: { a: {properties: {v: "1", "r!": "2"}}, b: b("1")} }], faults: { crash: 1, duplicate: 1 }, workersMax: 2 },
];
for (const config of configs) {
const t = performance.now();
const search = await Search.of(config);
const report = await search.run({ statesMax: 1_500_000 });
const s = (performance.now() - t) / 1000;
console.log(JSON.stringify(report), s.toFixed(1), (report.states/s).toFixed(0));
}
