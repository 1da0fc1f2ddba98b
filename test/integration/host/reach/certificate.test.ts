import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it, vi } from "vitest";
import { logger } from "#functions/logger.ts";
import { createToken } from "#host/credentials.ts";
import { startHost } from "#host/host.ts";
import { readTlsFiles } from "#host/tls-files.ts";
import { hearth } from "../../cli/hearth-process.ts";
import { type ServeProcess, startServe } from "../serve-process.ts";
import { connectTo, endWorld, newFolder, openWorld, putCertificate } from "./reach-world.ts";

const processes: ServeProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop("SIGKILL")));
  await endWorld();
});

const isTls = (socket: object): socket is TLSSocket => "getPeerCertificate" in socket;

const shownBy = async (url: string): Promise<unknown> => {
  const socket = await connectTo(url);
  const name = isTls(socket) ? socket.getPeerCertificate().subject.CN : "no TLS";
  socket.destroy();
  return name;
};

describe("the key of a certificate", () => {
  it("is refused while others can read it, and taken while only its group can", () => {
    const files = putCertificate(newFolder(), "first");
    for (const mode of [0o644, 0o604, 0o602]) {
      chmodSync(files.keyFile, mode);
      expect(() => readTlsFiles(files)).toThrow(
        `--tls-key ${files.keyFile} gives rights to every user of this machine (mode 0${mode.toString(8)}). Run chmod o= on it if nobody has read it.`,
      );
    }
    for (const mode of [0o640, 0o660, 0o600, 0o400]) {
      chmodSync(files.keyFile, mode);
      expect(readTlsFiles(files).key).toEqual(readFileSync(files.keyFile));
    }
  });

  it("gives a line in the log where it cannot be changed", () => {
    const files = putCertificate(newFolder(), "first");
    const another = statSync(files.keyFile).uid + 1;
    const warned = vi.spyOn(logger, "info").mockImplementation(() => undefined);
    try {
      for (const mode of [0o644, 0o444, 0o640, 0o600]) {
        chmodSync(files.keyFile, mode);
        readTlsFiles(files, another);
      }
      const line = [expect.stringContaining("every user"), { path: files.keyFile }];
      expect(warned.mock.calls).toEqual([line, line]);
    } finally {
      warned.mockRestore();
    }
  });

  it("ends the start while others can read it", async () => {
    const folder = newFolder();
    const tls = putCertificate(folder, "first");
    chmodSync(tls.keyFile, 0o644);
    const refused = startHost({ port: 0, data: join(folder, "data"), tls });
    await expect(refused).rejects.toThrow(`--tls-key ${tls.keyFile} gives rights`);
  });
});

describe("a renewed certificate", () => {
  it("is used without a restart, and an unusable one leaves the former in use", async () => {
    const { folder, host } = await openWorld();
    expect(await shownBy(host.url)).toBe("first");
    const { keyFile } = putCertificate(folder, "second");
    host.reloadCertificate();
    expect(await shownBy(host.url)).toBe("second");
    putCertificate(folder, "first");
    writeFileSync(keyFile, "half a key");
    host.reloadCertificate();
    expect(await shownBy(host.url)).toBe("second");
    const { keyFile: openKey } = putCertificate(folder, "first");
    chmodSync(openKey, 0o644);
    const told = vi.spyOn(logger, "error").mockImplementation(() => undefined);
    try {
      host.reloadCertificate();
      expect(told.mock.calls).toEqual([
        [
          "the former certificate stays in use",
          expect.objectContaining({ message: expect.stringContaining("gives rights to every") }),
        ],
      ]);
    } finally {
      told.mockRestore();
    }
    expect(await shownBy(host.url)).toBe("second");
    chmodSync(openKey, 0o600);
    host.reloadCertificate();
    expect(await shownBy(host.url)).toBe("first");
  });

  it("is read on SIGHUP by both listeners", async () => {
    const folder = newFolder();
    createToken(folder, "demo", null);
    const { certFile, keyFile } = putCertificate(folder, "first");
    const files = ["--tls-cert", certFile, "--tls-key", keyFile];
    const agents = ["--agents-listen", "127.0.0.1:0"];
    const served = await startServe("--data", folder, "--auth", "tokens", ...files, ...agents);
    processes.push(served);
    expect(await shownBy(served.url)).toBe("first");
    putCertificate(folder, "second");
    served.signal("SIGHUP");
    await expect.poll(() => shownBy(served.url)).toBe("second");
    expect(await shownBy(await served.agentsUrl())).toBe("second");
    expect(await served.stop("SIGTERM")).toBe(0);
  });
});

describe("files that hold no certificate", () => {
  it("end the start with a sentence that names the file", async () => {
    const folder = newFolder();
    const { certFile, keyFile } = putCertificate(folder, "first");
    const start = (tls: { readonly certFile: string; readonly keyFile: string }) =>
      startHost({ port: 0, data: folder, tls });
    await expect(start({ certFile: `${certFile}.x`, keyFile })).rejects.toThrow(
      `--tls-cert ${certFile}.x cannot be read: there is no such file.`,
    );
    await expect(start({ certFile: folder, keyFile })).rejects.toThrow(
      `--tls-cert ${folder} cannot be read: it is a folder.`,
    );
    await expect(start({ certFile, keyFile: `${certFile}/key` })).rejects.toThrow(
      `--tls-key ${certFile}/key cannot be read: there is no such file.`,
    );
    await expect(start({ certFile: keyFile, keyFile })).rejects.toThrow(
      `--tls-cert ${keyFile} is not a certificate in PEM format.`,
    );
    await expect(start({ certFile, keyFile: certFile })).rejects.toThrow(
      `--tls-key ${certFile} is not a key in PEM format that fits ${certFile}.`,
    );
  });

  it("are wrong usage of the command, as other wrong options are", async () => {
    const folder = newFolder();
    const { certFile, keyFile } = putCertificate(folder, "first");
    const said = async (cert: string, key: string) => {
      const files = ["--tls-cert", cert, "--tls-key", key];
      const place = ["--data", join(folder, "data"), "--port", "0"];
      const { code, stdout, stderr } = await hearth("", "serve", ...place, ...files);
      return [code, stdout, stderr];
    };
    const missing = `ERROR: --tls-cert ${folder}/none cannot be read: there is no such file.\n`;
    expect(await said(join(folder, "none"), keyFile)).toEqual([2, "", missing]);
    const noKey = `ERROR: --tls-key ${certFile} is not a key in PEM format that fits ${certFile}.\n`;
    expect(await said(certFile, certFile)).toEqual([2, "", noKey]);
  });
});
