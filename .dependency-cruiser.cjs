/**
 * The import rules of docs/architecture.md, at error level. What `test/architecture/rooms.json` does
 * not name is forbidden. The rules here are about packages, platforms and circles.
 * `test/architecture/check-imports.ts` runs all of them and asserts that modules were seen.
 */
const { builtinModules } = require("node:module");
const rooms = require("./test/architecture/rooms.json");

/** `lib/*.ts` are the files of a folder, `lib/model` is a folder with all in it. */
const patternOf = (name) =>
  `^${name
    .replace(/\/\*\*$/, "")
    .replaceAll(".", "\\.")
    .replaceAll("*", "[^/]+")}${name.endsWith(".ts") ? "$" : "/"}`;

/** A room is its folder without the rooms inside it. `lib/**` is the folder with them. */
const inside = (name) =>
  rooms
    .map(({ room }) => room)
    .filter((room) => room !== name && room.startsWith(`${name}/`) && !name.endsWith(".ts"));

const place = (name) => {
  const nested = inside(name).map(patternOf);
  return { path: patternOf(name), ...(nested.length === 0 ? {} : { pathNot: nested }) };
};

const allowed = rooms.flatMap(({ room, imports }) =>
  [room, ...imports].map((name) => ({ from: place(room), to: place(name) })),
);
const ours = [...new Set(rooms.map(({ room }) => patternOf(room.split("/")[0])))];

const core =
  "^lib/(model|graph|template|groups|inventory|stack|convergence|software-config|resources|engine|api|stepping|yaql|pattern)/";
/** The cruiser names Node's own modules without their prefix, but for those that have no other name. */
const platform = `^@aws-sdk|^@middy|node_modules/(@aws-sdk|@middy|@aws-lambda-powertools)|^node:|^(${builtinModules.join("|")})$`;
module.exports = {
  allowed: [
    ...allowed,
    { from: {}, to: { pathNot: ours } },
    // It is no room. The lane of the core has the same projects, and so is seen to import it.
    { from: { path: "^vitest\\.config\\.ts$" }, to: { path: "^test/" } },
  ],
  allowedSeverity: "error",
  forbidden: [
    { name: "everything-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    // It is a package of its own, for those who write providers.
    {
      name: "provider-stands-alone",
      severity: "error",
      from: { path: "^providers/sdk/" },
      to: {
        path: `node_modules|${platform}`,
        // A provider that is a server has sockets and signatures.
        pathNot: "node_modules/zod/|^(node:)?(http|https|crypto)$",
      },
    },
    {
      name: "only-servers-of-providers-need-node",
      severity: "error",
      from: { path: "^providers/sdk/", pathNot: "^providers/sdk/http/" },
      to: { path: "^(node:)?(http|https|crypto)$" },
    },
    {
      name: "providers-know-the-interface",
      severity: "error",
      from: { path: "^providers/" },
      to: { path: "node_modules", pathNot: "node_modules/(zod|@aws-sdk)/" },
    },
    // A browser loads the client: no package but zod, and no module of Node.
    {
      name: "client-stands-alone",
      severity: "error",
      from: { path: "^apps/client/" },
      to: { path: `node_modules|${platform}`, pathNot: "node_modules/zod/" },
    },
    // The console is a browser's program too. It may have packages of its own.
    {
      name: "console-reaches-no-platform",
      severity: "error",
      from: { path: "^apps/console/src/" },
      to: { path: platform },
    },
    // The playground is a browser's program that holds the engine.
    {
      name: "playground-reaches-no-platform",
      severity: "error",
      from: { path: "^(apps/console/playground|lib/adapters/(browser|memory))/" },
      to: { path: platform, reachable: true },
    },
    {
      name: "agent-stands-alone",
      severity: "error",
      from: { path: "^apps/agent/" },
      to: { path: "node_modules" },
    },
    // It runs openssl, and `npm test` needs nothing but Node.
    {
      name: "npm-test-needs-no-openssl",
      severity: "error",
      from: { path: "^test/(unit|architecture|contract|simulation|prove|integration)/" },
      to: { path: "^test/tls/authority\\.ts$" },
    },
    {
      name: "core-reaches-no-platform",
      severity: "error",
      from: { path: core },
      to: { path: platform, reachable: true },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^providers/sdk/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
