import { equal, match } from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { config, deployment, openServer, script, serverTemplate, until } from "../../agents/rig.ts";
import { create, ends, outputs, remove } from "../../aws/lane.ts";
import { runShell } from "../run-shell.ts";
import { bootstrapOnce, type Site, type Story } from "../site.ts";

const AGENTS_MS_MAX = 150_000;

const layOut = async (site: Site, stack: string) => {
  const root = join(site.folder, `image-${stack}`);
  mkdirSync(root);
  const text = await bootstrapOnce(site, stack, "--agent", "stock", "--format", "script");
  await runShell(text, { DESTDIR: root });
  const dropIn = "etc/systemd/system/os-collect-config.service.d/hearth.conf";
  const [, file] = /^Environment=REQUESTS_CA_BUNDLE=(.+)$/m.exec(read(root, dropIn)) ?? [];
  const [, url] = /^metadata_url = (.+)$/m.exec(read(root, "etc/os-collect-config.conf")) ?? [];
  return { bundle: join(root, file ?? "no bundle"), url: url ?? "no URL" };
};

const read = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

const TEMPLATE = serverTemplate(
  {
    config: config(script('printf "%s" "over TLS" > "$heat_outputs_path.note"'), {
      outputs: [{ name: "note" }],
    }),
    run: deployment("config"),
  },
  { note: ["run", "note"] },
);

const stock: Story = {
  name: "OpenStack's agents run a deployment over TLS with the bootstrap's authority, and refuse the host without it",
  play: async (site) => {
    const stack = await create(site, "stock", TEMPLATE);
    const { bundle, url } = await layOut(site, "stock");
    match(url, new RegExp(`^${site.agentsUrl}/`));
    const untrusting = openServer(site, "stock-untrusting");
    untrusting.start(url);
    await until("the agents refuse the certificate", () =>
      /CERTIFICATE_VERIFY_FAILED|SSLError|\[request\] Unavailable/.test(untrusting.log()),
    );
    equal(untrusting.begun(), 0);
    await untrusting.kill();
    const server = openServer(site, "stock-trusting", {
      environment: { REQUESTS_CA_BUNDLE: bundle },
    });
    server.start(url);
    await ends(site, stack, "CREATE_COMPLETE", AGENTS_MS_MAX);
    equal((await outputs(site, stack))["note"], "over TLS");
    await remove(site, stack, AGENTS_MS_MAX);
    await server.kill();
  },
};

export const stockStories: readonly Story[] = [stock];
