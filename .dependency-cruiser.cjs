/** The import rules of docs/architecture.md, at error level. `test/architecture/check-imports.ts` runs them and asserts that modules were seen. */
const { builtinModules } = require("node:module");

const core =
  "^lib/(model|graph|template|groups|stack|convergence|software-config|resources|engine|api|stepping|yaql|pattern)/";
/** The cruiser names Node's own modules without their prefix, but for those that have no other name. */
const platform = `^@aws-sdk|^@middy|node_modules/(@aws-sdk|@middy|@aws-lambda-powertools)|^node:|^(${builtinModules.join("|")})$`;
module.exports = {
  forbidden: [
    { name: "everything-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "graph-and-template-stand-alone",
      severity: "error",
      from: { path: "^lib/(graph|template)/" },
      to: {
        path: "^lib/",
        pathNot: "^lib/(model|graph|template|yaql|pattern)/|^lib/(errors|json|json-map)\\.ts",
      },
    },
    {
      name: "groups-stand-alone",
      severity: "error",
      from: { path: "^lib/groups/" },
      to: {
        path: "^lib/",
        pathNot: "^lib/(groups|model|template)/|^lib/(errors|json|json-map|json-schema)\\.ts",
      },
    },
    {
      name: "inventory-stands-alone",
      severity: "error",
      from: { path: "^lib/inventory/" },
      to: {
        path: "^lib/",
        pathNot: "^lib/(inventory|model|template)/|^lib/(errors|json|json-map|json-schema)\\.ts",
      },
    },
    {
      name: "yaql-stands-alone",
      severity: "error",
      from: { path: "^lib/yaql/" },
      to: {
        path: "^lib/",
        pathNot: "^lib/(yaql/|pattern/|json\\.ts|json-map\\.ts|template/python-escapes\\.ts)",
      },
    },
    {
      name: "pattern-stands-alone",
      severity: "error",
      from: { path: "^lib/pattern/" },
      to: { path: "^lib/", pathNot: "^lib/(pattern/|template/python-escapes\\.ts)" },
    },
    {
      name: "model-stands-alone",
      severity: "error",
      from: { path: "^lib/model/" },
      to: { path: "^lib/", pathNot: "^lib/(model/|json\\.ts)" },
    },
    {
      name: "stack-below-the-algorithm",
      severity: "error",
      from: { path: "^lib/stack/" },
      to: { path: "^lib/(convergence|software-config|resources|engine|api|adapters)/" },
    },
    {
      name: "algorithm-knows-no-type",
      severity: "error",
      from: { path: "^lib/convergence/" },
      to: { path: "^lib/(software-config|resources)/" },
    },
    {
      name: "middle-layer",
      severity: "error",
      from: { path: "^lib/(convergence|software-config|resources)/" },
      to: { path: "^lib/(engine|api|adapters)/" },
    },
    {
      name: "engine-below-api",
      severity: "error",
      from: { path: "^lib/engine/" },
      to: { path: "^lib/(api|adapters)/" },
    },
    {
      name: "api-below-adapters",
      severity: "error",
      from: { path: "^lib/api/" },
      to: { path: "^lib/adapters/" },
    },
    {
      name: "stepping-above-api",
      severity: "error",
      from: { path: "^lib/stepping/" },
      to: { path: "^lib/adapters/" },
    },
    {
      name: "only-shells-step",
      severity: "error",
      from: { path: "^lib/", pathNot: "^lib/stepping/" },
      to: { path: "^lib/stepping/" },
    },
    {
      name: "ports-are-interfaces",
      severity: "error",
      from: { path: "^lib/ports/" },
      to: { path: "^lib/", pathNot: "^lib/(ports/|model/|json\\.ts)" },
    },
    {
      name: "adapters-know-ports-and-models",
      severity: "error",
      from: { path: "^lib/adapters/" },
      to: {
        path: "^lib/(engine|api|stepping|template|groups|resources|graph|stack|convergence|software-config|yaql|pattern)/",
      },
    },
    {
      name: "adapters-apart",
      severity: "error",
      from: { path: "^lib/adapters/(aws|sqlite|memory|browser)/" },
      to: { path: "^lib/adapters/(aws|sqlite|memory|browser)/", pathNot: "^lib/adapters/$1/" },
    },
    {
      name: "lib-below-shells",
      severity: "error",
      from: { path: "^lib/" },
      to: { path: "^(functions|host|client|cli|agent|infra|test|examples|bench)/" },
    },
    {
      name: "functions-know-lib",
      severity: "error",
      from: { path: "^functions/" },
      to: { path: "^(host|client|cli|agent|infra|test|examples|bench)/" },
    },
    {
      name: "host-knows-functions-and-lib",
      severity: "error",
      from: { path: "^host/" },
      to: { path: "^(client|cli|agent|infra|test|examples|bench)/" },
    },
    // The Lambda entries and what they share bind the adapters; the handlers are given them.
    {
      name: "handlers-are-given-their-ports",
      severity: "error",
      from: { path: "^functions/", pathNot: "^functions/([^/]+/lambda\\.ts$|aws/)" },
      to: { path: "^lib/adapters/" },
    },
    // It is a package of its own, for those who write providers.
    {
      name: "provider-stands-alone",
      severity: "error",
      from: { path: "^provider/" },
      to: {
        path: `^(lib|functions|host|client|cli|agent|infra|test|examples|bench|packaging)/|node_modules|${platform}`,
        // A provider that is a server has sockets and signatures.
        pathNot: "node_modules/zod/|^(node:)?(http|https|crypto)$",
      },
    },
    {
      name: "only-servers-of-providers-need-node",
      severity: "error",
      from: { path: "^provider/", pathNot: "^provider/http/" },
      to: { path: "^(node:)?(http|https|crypto)$" },
    },
    {
      name: "providers-know-the-interface",
      severity: "error",
      from: { path: "^providers/" },
      to: {
        path: "^(lib|functions|host|client|cli|agent|infra|test|examples|bench|packaging)/|node_modules",
        pathNot: "node_modules/(zod|@aws-sdk)/",
      },
    },
    // A host is given its providers by the command. A function binds its own (docs/adr/0054).
    {
      name: "shells-choose-providers",
      severity: "error",
      from: {
        path: "^(lib|provider|functions|host|client|agent|infra)/",
        pathNot: "^functions/aws/aws-(accounts|roles|schemas)\\.ts$",
      },
      to: { path: "^providers/" },
    },
    // A browser loads the client: it knows no other shell, no package but zod, and no module of Node.
    {
      name: "client-stands-alone",
      severity: "error",
      from: { path: "^client/" },
      to: {
        path: `^(lib|functions|host|cli|agent|infra|test|examples|bench)/|node_modules|${platform}`,
        pathNot: "^lib/(errors|json|json-schema)\\.ts$|node_modules/zod/",
      },
    },
    // The console is a browser's program too. It may have packages of its own.
    {
      name: "console-asks-the-client",
      severity: "error",
      from: { path: "^web/src/" },
      to: {
        path: `^(lib|functions|host|cli|agent|infra|test|examples|bench|packaging)/|${platform}`,
        pathNot:
          "^lib/(errors|json|json-map|authoring/(locate|document-path)|template/yaml(/yaml-error)?)\\.ts$",
      },
    },
    // The playground is a browser's program that holds the engine.
    {
      name: "playground-binds-the-engine",
      severity: "error",
      from: { path: "^web/playground/" },
      to: { path: "^(functions|host|cli|agent|infra|test|examples|bench|packaging)/" },
    },
    {
      name: "playground-reaches-no-platform",
      severity: "error",
      from: { path: "^(web/playground|lib/adapters/(browser|memory))/" },
      to: { path: platform, reachable: true },
    },
    {
      name: "nobody-imports-the-console",
      severity: "error",
      from: { path: "^(lib|functions|host|client|cli|agent|infra|packaging|examples|bench)/" },
      to: { path: "^web/" },
    },
    {
      name: "cli-asks-the-client",
      severity: "error",
      from: { path: "^cli/" },
      to: {
        path: "^(functions|infra|test|examples|bench)/|^lib/",
        pathNot:
          "^infra/(api-token|restore)\\.ts$|^lib/(errors|json|json-map|json-schema|inventory/(environment|inventory)|authoring/(assess|hidden-parameters|template-graph|find-problems|document-path|template-words|known-types|template-schema/template-schema)|template/(json-shape|registry|registry-index|versions|yaml(/yaml-error)?)|stack/retention|api/(health|purge|request-limit)|engine/health-probe|resources/mime/mime-message|adapters/sqlite/(backup|flushes|private-files|restore))\\.ts$",
      },
    },
    {
      name: "infra-knows-names",
      severity: "error",
      from: { path: "^infra/" },
      to: {
        path: "^(host|client|cli|agent|test|examples|bench)/|^functions/(?!aws/(aws-roles|environment|plug-in-servers)\\.ts|authorizer/(credential|principal)\\.ts|meter\\.ts)|^lib/(?!convergence/limits\\.ts|stack/retention\\.ts|ports/|adapters/aws/tables\\.ts|api/(errors|request-id|request-limit)\\.ts|errors\\.ts)",
      },
    },
    {
      name: "agent-stands-alone",
      severity: "error",
      from: { path: "^agent/" },
      to: { path: "^(lib|functions|host|client|cli|infra|test)/|node_modules" },
    },
    {
      name: "nothing-imports-test",
      severity: "error",
      from: { pathNot: "^(test|bench)/" },
      to: { path: "^test/" },
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
    exclude: { path: "^provider/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
