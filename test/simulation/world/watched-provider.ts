/**
 * The provider of the simulation. It can refuse calls, and it forgets the tokens of one type after
 * a while. It counts calls and objects, so that checkers need no search.
 */
import type { MemoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import type { CreateObject, FakeProvider, UpdateObject } from "#lib/ports/fake-provider.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { FORGETFUL, TOKEN_WINDOW_MS } from "./types.ts";

export const REFUSAL = "refused by the provider";

export interface ProviderWatcher {
  changes(physicalId: string): void;
  deletes(physicalId: string): void;
  created(token: string): void;
}

export class WatchedProvider {
  readonly #provider: MemoryFakeProvider;
  readonly #clock: Clock;
  readonly #tokens = new Set<string>();
  readonly #operations = new Set<string>();
  readonly #objectsOf = new Map<string, Set<string>>();
  readonly #ownerOf = new Map<string, string>();
  readonly #madeBy = new Map<string, string>();
  readonly #firstAt = new Map<string, { readonly at: number; readonly token: string }>();
  readonly #lost = new Set<string>();
  #callsSeen = 0;
  refuseNext = false;

  constructor(provider: MemoryFakeProvider, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  port(watcher: ProviderWatcher): FakeProvider {
    const provider = this.#provider;
    return {
      ...provider,
      update: async (request) => {
        this.#refuseNew(request.token);
        watcher.changes(request.physicalId);
        return provider.update(this.#asMarked(request));
      },
      delete: async (request) => {
        this.#refuseNew(request.token);
        watcher.changes(request.physicalId);
        watcher.deletes(request.physicalId);
        return provider.delete(request);
      },
      create: async (request) => {
        this.#refuseNew(request.token);
        const answer = await provider.create(this.#asRemembered(request));
        watcher.created(request.token);
        return answer;
      },
    };
  }

  objectsFor(rowId: string): readonly string[] {
    this.#readCalls();
    return [...(this.#objectsOf.get(rowId) ?? [])].filter((id) => !this.#lost.has(id));
  }

  knows(operation: string): boolean {
    this.#readCalls();
    return this.#operations.has(operation);
  }

  /** Marks the objects that no row accounts for after a restore as lost. */
  lose(isAccountedFor: (physicalId: string, madeBy: string) => boolean): void {
    this.#readCalls();
    const madeBy = new Map([...this.#madeBy].map(([token, id]) => [id, token]));
    for (const { physicalId } of this.#provider.objects()) {
      if (!isAccountedFor(physicalId, madeBy.get(physicalId) ?? "")) this.#lost.add(physicalId);
    }
  }

  isLost(physicalId: string): boolean {
    return this.#lost.has(physicalId);
  }

  madeBy(token: string): string | undefined {
    this.#readCalls();
    return this.#madeBy.get(token);
  }

  #readCalls(): void {
    const calls = this.#provider.calls();
    for (; this.#callsSeen < calls.length; this.#callsSeen++) {
      const call = calls[this.#callsSeen];
      if (call === undefined) return;
      this.#tokens.add(call.token);
      this.#operations.add(call.token.split("/", 3).join("/"));
      const [rowId = ""] = call.token.split("/");
      // A snapshot that the policy Snapshot makes is no object of the row.
      if (call.token.endsWith("/snapshot")) continue;
      if (!call.effect || call.kind === "update") continue;
      if (call.kind === "create") {
        this.#ownerOf.set(call.physicalId, rowId);
        this.#madeBy.set(call.token, call.physicalId);
        const objects = this.#objectsOf.get(rowId) ?? new Set();
        this.#objectsOf.set(rowId, objects.add(call.physicalId));
      } else this.#objectsOf.get(this.#ownerOf.get(call.physicalId) ?? "")?.delete(call.physicalId);
    }
  }

  /** A provider that keeps tokens repeats its first answer, so it can refuse only new tokens. */
  #refuseNew(token: string): void {
    if (!this.refuseNext) return;
    this.#readCalls();
    this.refuseNext = false;
    if (!this.#tokens.has(token)) throw new Error(REFUSAL);
  }

  /** A mark outlasts changes, so a restored folder finds the object of its operation (P14). */
  #asMarked(request: UpdateObject): UpdateObject {
    const changed = this.#provider
      .objects()
      .find(({ physicalId }) => physicalId === request.physicalId);
    const tag = changed?.properties["tag"];
    return tag === undefined ? request : { ...request, properties: { ...request.properties, tag } };
  }

  #asRemembered(request: CreateObject): CreateObject {
    if (request.type !== FORGETFUL) return request;
    const now = this.#clock.now();
    const first = this.#firstAt.get(request.token);
    const token =
      first === undefined || now - first.at < TOKEN_WINDOW_MS
        ? (first?.token ?? request.token)
        : `${request.token}/${now}`;
    if (token !== first?.token) this.#firstAt.set(request.token, { at: now, token });
    return { ...request, token };
  }
}
