import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStackOf } from "../../../../apps/cli/serve/clouds.ts";
import { freshFolder, removeFolder } from "../../../contract/folders.ts";
import { projectsFile } from "../../../openstack/stages.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = freshFolder();
  file = join(folder, "projects.json");
  const credential = {
    authUrl: "https://keystone.example:5000/v3",
    id: "21dc",
    secret: "",
    region: "RegionOne",
    interface: "public" as const,
    plainHttp: false,
  };
  writeFileSync(file, projectsFile(credential, "demo.secret"));
  writeFileSync(join(folder, "demo.secret"), "open sesame\n");
});
afterEach(() => removeFolder(folder));

it("are their owner's, and perhaps their group's", () => {
  chmodSync(join(folder, "demo.secret"), 0o640);
  expect(openStackOf(file).name).toBe("openstack");
});

it("are refused if every user of the machine can read them", () => {
  chmodSync(join(folder, "demo.secret"), 0o644);
  expect(() => openStackOf(file)).toThrow(
    /demo\.secret cannot be used: it gives rights to every user of this machine \(mode 0644\)/,
  );
});
