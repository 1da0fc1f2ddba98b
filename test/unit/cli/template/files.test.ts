import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectFiles } from "../../../../apps/cli/template/files.ts";
import { allowed } from "../../../../apps/cli/template/named-files.ts";
import { UnreadableFile } from "../../../../apps/cli/template/source-file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-files-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};

const url = (name: string): string => pathToFileURL(join(folder, name)).href;

describe("a template's files", () => {
  it("are files: a device that a stranger's template names would never end", () => {
    const outputs = "outputs: {a: {value: {get_file: /dev/zero}}}";
    const template = write("zero.yaml", `heat_template_version: 2021-04-16\n${outputs}\n`);
    expect(() => collectFiles(template, [])).toThrow(
      `${template}:2:23: outputs.a.value.get_file: /dev/zero: it is not a file.`,
    );
  });

  it.each([
    ["file://elsewhere/up.sh", "file://elsewhere/up.sh is not a local file; download it first."],
    ["file:///a%2Fb", "file:///a%2Fb is not a local file; download it first."],
    ["a\\0b", "it cannot be read."],
    ["x".repeat(300), "it cannot be read."],
  ])("that cannot be files, such as %j, give an error with the place", (name, text) => {
    const outputs = `outputs: {a: {value: {get_file: "${name}"}}}`;
    const template = write("odd.yaml", `heat_template_version: 2021-04-16\n${outputs}\n`);
    expect(() => collectFiles(template, [])).toThrow(UnreadableFile);
    expect(() => collectFiles(template, [])).toThrow(text);
  });

  it.each([
    ["an absolute path", "/other/key"],
    ["a path upwards", "../other/key"],
    ["a link that leads outside", "link"],
    ["a hidden folder", ".ssh/key"],
  ])("are read only with --allow-files by %s", (_, named) => {
    const outside = write("other/key", "secret");
    write("own/.ssh/key", "secret");
    symlinkSync(outside, join(folder, "own/link"));
    const name = named.startsWith("/") ? outside : named;
    const own = write("own/app.yaml", `resources: {a: {x: {get_file: "${name}"}}}`);
    expect(() => collectFiles(own, [])).toThrow(
      /app\.yaml:1:\d+: resources\.a\.x\.get_file: .* is not read\. .*: --allow-files\.$/,
    );
    expect(Object.values(collectFiles(own, [], allowed(true)).files)).toEqual(["secret"]);
  });

  it("are nested templates and the registry's too, and those of an environment lie beside it", () => {
    write("other/secret.yaml", "password: x");
    write("envs/web.yaml", "resources: {}");
    const nested = write("own/app.yaml", "resources: {a: {type: ../other/secret.yaml}}");
    expect(() => collectFiles(nested, [])).toThrow("--allow-files");
    const plain = write("own/plain.yaml", "resources: {}");
    const registry = (name: string) =>
      write("envs/env.yaml", `resource_registry: {"My::Web": ${name}}`);
    expect(() => collectFiles(plain, [registry("../other/secret.yaml")])).toThrow("--allow-files");
    expect(Object.keys(collectFiles(plain, [registry("web.yaml")]).files)).toContain(
      url("envs/web.yaml"),
    );
  });

  it("are sent once each under their URLs, relative to the template", () => {
    write("scripts/up.sh", "#!/bin/sh\n");
    const template = write(
      "web.yaml",
      `heat_template_version: 2021-04-16
resources:
  a:
    type: OS::Heat::SoftwareConfig
    properties: {config: {get_file: scripts/up.sh}}
  b:
    type: OS::Heat::SoftwareConfig
    properties: {config: {get_file: ./scripts/../scripts/up.sh}, inputs: [{name: yes}]}
`,
    );
    const collected = collectFiles(template, []);
    expect(collected.files).toEqual({ [url("scripts/up.sh")]: "#!/bin/sh\n" });
    expect(collected.template).toMatchObject({
      heat_template_version: "2021-04-16",
      resources: {
        a: { properties: { config: { get_file: url("scripts/up.sh") } } },
        b: { properties: { config: { get_file: url("scripts/up.sh") }, inputs: [{ name: true }] } },
      },
    });
  });

  it("are also the templates of stacks in CloudFormation's words", () => {
    write("lib/child.json", '{"HeatTemplateFormatVersion": "2012-12-12"}');
    const stack = (name: string) =>
      `{Type: "AWS::CloudFormation::Stack", Properties: {TemplateURL: "${name}"}}`;
    const other = '{Type: "OS::Heat::Value", Properties: {TemplateURL: "lib/none.json"}}';
    const resources = `{a: ${stack("lib/child.json")}, b: ${stack("https://host/t")}, c: ${other}}`;
    const text = `HeatTemplateFormatVersion: "2012-12-12"\nResources: ${resources}\n`;
    const { files, template } = collectFiles(write("web.yaml", text), []);
    expect(Object.keys(files)).toEqual([url("lib/child.json")]);
    expect(template).toMatchObject({
      Resources: {
        a: { Properties: { TemplateURL: url("lib/child.json") } },
        b: { Properties: { TemplateURL: "https://host/t" } },
        c: { Properties: { TemplateURL: "lib/none.json" } },
      },
    });
    const missing = write("none.yaml", text.replace("child", "gone"));
    expect(() => collectFiles(missing, [])).toThrow("lib/gone.json: there is no such file.");
  });

  it("that are missing give an error with the place and the file", () => {
    const template = write("web.yaml", "resources: {a: {properties: {x: [{get_file: no.sh}]}}}");
    expect(() => collectFiles(template, [])).toThrow(
      `${template}:1:35: resources.a.properties.x[0].get_file: ${join(folder, "no.sh")}: there is no such file.`,
    );
  });

  it("that a nested template misses give an error with the nested template", () => {
    const nested = write("lib/b.yaml", "resources:\n  a: {x: {get_file: up.sh}}\n");
    mkdirSync(join(folder, "lib/up.sh"));
    const template = write("web.yaml", "resources: {b: {type: lib/b.yaml}}");
    expect(() => collectFiles(template, [])).toThrow(
      `${nested}:2:11: resources.a.x.get_file: ${join(folder, "lib/up.sh")}: it is a folder.`,
    );
  });

  it("are read in CloudFormation's formats under their key of types", () => {
    write("b.yaml", "resources: {}");
    const cfn = "AWSTemplateFormatVersion: 2010-09-09\nResources: {a: {Type: b.yaml}}\n";
    expect(collectFiles(write("cfn.yaml", cfn), []).template).toMatchObject({
      Resources: { a: { Type: url("b.yaml") } },
    });
    const hot = "heat_template_version: 2021-04-16\nresources: {a: {x: {Type: b.yaml}}}\n";
    expect(collectFiles(write("hot.yaml", hot), []).files).toEqual({});
  });

  it("must be on this machine", () => {
    const template = write("web.yaml", "resources: {a: {x: {get_file: 'https://host/a.sh'}}}");
    expect(() => collectFiles(template, [])).toThrow("https://host/a.sh is not a local file");
  });

  it("may be named by a file URL, and are sent as base64 if they are not UTF-8", () => {
    write("image.bin", Buffer.from([0xff, 0xfe, 0x00]));
    const template = write("web.yaml", `resources: {a: {x: {get_file: '${url("image.bin")}'}}}`);
    expect(collectFiles(template, []).files).toEqual({ [url("image.bin")]: "//4A" });
  });

  it("include nested templates with their own files, even if these name each other", () => {
    write("lib/up.sh", "up");
    write("lib/b.yaml", "resources: {r: {type: ../web.yaml, x: {get_file: up.sh}}}");
    const template = write("web.yaml", "resources: {b: {type: lib/b.yaml}}");
    const { files } = collectFiles(template, []);
    expect(JSON.parse(files[url("lib/b.yaml")] ?? "")).toEqual({
      resources: { r: { type: url("web.yaml"), x: { get_file: url("lib/up.sh") } } },
    });
    expect(files[url("lib/up.sh")]).toBe("up");
  });

  it("ignore a get_file whose argument is not a name", () => {
    const template = write("web.yaml", "resources: {a: {x: {get_file: {get_param: p}}}}");
    expect(collectFiles(template, []).files).toEqual({});
  });
});

describe("a template itself", () => {
  it("may be no file URL without a path", () => {
    for (const name of ["file://elsewhere/web.yaml", "file:///a%2Fb"]) {
      expect(() => collectFiles(name, [])).toThrow(`${name} is not a local file`);
    }
  });

  it("may be a file URL, and no other one", () => {
    write("web.yaml", "resources: {}");
    expect(collectFiles(url("web.yaml"), []).template).toEqual({ resources: {} });
    expect(() => collectFiles("https://host/web.yaml", [])).toThrow(
      /^https:\/\/host\/web.yaml is not a local file; download it first\.$/,
    );
  });

  it("must be UTF-8", () => {
    const template = write("web.yaml", Buffer.from("a: x\nb: caf\xe9\n", "latin1"));
    expect(() => collectFiles(template, [])).toThrow(`${template}:2:7: The text is not UTF-8.`);
  });
});

describe("environments", () => {
  it("are sent both merged and as files, in the given order", () => {
    const template = write("web.yaml", "resources: {}");
    const first = write("a.yaml", "parameters: {x: 1, y: 1}");
    const second = write("b.yaml", "parameters: {y: 2}\nparameter_defaults: {z: 3}");
    const collected = collectFiles(template, [first, second]);
    expect(collected.environment_files).toEqual([url("a.yaml"), url("b.yaml")]);
    expect(collected.environment).toEqual({
      parameters: { x: 1, y: 2 },
      parameter_defaults: { z: 3 },
    });
    expect(JSON.parse(collected.files[url("a.yaml")] ?? "")).toEqual({
      parameters: { x: 1, y: 1 },
    });
  });

  it("send the templates of their registry, and keep type names", () => {
    write("types/db.yaml", "resources: {}");
    const template = write("web.yaml", "resources: {}");
    const environment = write(
      "env.yaml",
      `resource_registry:
  base_url: ${url("types")}
  My::DB: db.yaml
  My::Other: OS::Heat::None
  resources: {a: {My::DB: db.yaml, hooks: pre-create}}
`,
    );
    expect(collectFiles(template, [environment]).environment).toEqual({
      resource_registry: {
        base_url: url("types"),
        "My::DB": url("types/db.yaml"),
        "My::Other": "OS::Heat::None",
        resources: { a: { "My::DB": url("types/db.yaml"), hooks: "pre-create" } },
      },
    });
  });

  it.each(["http://elsewhere/lib/", "http://", "file:///a%2Fb/"])(
    "whose base_url is %s give an error with the place",
    (base) => {
      const template = write("web.yaml", "heat_template_version: 2021-04-16\n");
      const environment = write(
        "env.yaml",
        `resource_registry:\n  base_url: "${base}"\n  A::B: b.yaml\n`,
      );
      expect(() => collectFiles(template, [environment])).toThrow(
        `${environment}:3:3: resource_registry.A::B: ${base} is not a local folder`,
      );
    },
  );

  it("and templates that are not YAML give an error with the file and the line", () => {
    const template = write("web.yaml", "resources: {}");
    const broken = write("env.yaml", "parameters:\n  a: [1\nb: 2\n");
    expect(() => collectFiles(template, [broken])).toThrow(
      /env\.yaml is neither YAML nor JSON: .* in ".*env\.yaml", line 3,/s,
    );
    expect(() => collectFiles(write("list.yaml", "- 1"), [])).toThrow("does not hold a map");
    expect(() => collectFiles(join(folder, "none.yaml"), [])).toThrow("there is no such file");
  });
});

describe("numbers and names in files", () => {
  it("are sent as they are written", () => {
    const numbers = "[1.0, 123456789012345678, 1.0e+20, 0x1fffffffffffffff]";
    const template = write(
      "web.yaml",
      `heat_template_version: 2021-04-16\noutputs: {__proto__: {value: ${numbers}}}\n`,
    );
    const first = write("a.yaml", "parameters: {__proto__: {a: 1}, constructor: {b: 2.0}}\n");
    const second = write("b.yaml", "parameters: {__proto__: {c: 3.0}, toString: 4}\n");
    const collected = collectFiles(template, [first, second]);
    expect(JSON.stringify(collected.template)).toContain(
      '{"__proto__":{"value":[1.0,123456789012345678,1e+20,2305843009213693951]}}',
    );
    expect(JSON.stringify(collected.environment)).toBe(
      '{"parameters":{"__proto__":{"a":1,"c":3.0},"constructor":{"b":2.0},"toString":4}}',
    );
  });
});
