import type { CharacterSet } from "./characters.ts";
import * as instructions from "./instructions.ts";
import type { Instruction } from "./machine.ts";
import type { ParsedPattern } from "./parser.ts";
import type { Tree } from "./tree.ts";

export interface Program {
  readonly instructions: readonly Instruction[];
  /** Two for each group, for its start and end, followed by those of loops and lookarounds. */
  readonly registerCount: number;
  readonly first: CharacterSet | null;
}

const firstOf = (part: Tree | undefined): CharacterSet | null => {
  if (part === undefined) return null;
  if (part.kind === "character") return part.set;
  if (part.kind === "sequence") return firstOf(part.items[0]);
  if (part.kind === "group" || part.kind === "atomic") return firstOf(part.body);
  return part.kind === "repeat" && part.times.min > 0 ? firstOf(part.body) : null;
};

type Of<Kind extends Tree["kind"]> = Extract<Tree, { kind: Kind }>;

class Compiler {
  readonly instructions: Instruction[] = [];
  registerCount: number;

  constructor(groupCount: number) {
    this.registerCount = 2 * groupCount;
  }

  add(part: Tree, after?: Tree): void {
    switch (part.kind) {
      case "character":
        this.#emit(instructions.character(part.set));
        return;
      case "place":
        this.#emit(instructions.place(part.place, part.isAscii));
        return;
      case "reference":
        this.#emit(instructions.reference(part.group, part.folding));
        return;
      case "sequence":
        for (const [index, item] of part.items.entries()) this.add(item, part.items[index + 1]);
        return;
      case "choice":
        this.#choice(part);
        return;
      case "group":
        this.#emit(instructions.mark(2 * part.number - 2));
        this.add(part.body);
        this.#emit(instructions.mark(2 * part.number - 1));
        return;
      case "repeat":
        this.#repeat(part, after);
        return;
      case "atomic":
        this.#atomic(() => this.add(part.body));
        return;
      case "look":
        this.#look(part);
        return;
      case "conditional":
        this.#conditional(part);
    }
  }

  #emit(instruction: Instruction): void {
    this.instructions.push(instruction);
  }

  #forward(make: (to: number) => Instruction): () => void {
    const at = this.instructions.length;
    this.#emit(instructions.fail);
    return () => {
      this.instructions[at] = make(this.instructions.length);
    };
  }

  #register(): number {
    this.registerCount += 1;
    return this.registerCount - 1;
  }

  #choice({ options }: Of<"choice">): void {
    const ends = options.slice(0, -1).map((option) => {
      const other = this.#forward(instructions.tryFirst);
      this.add(option);
      const end = this.#forward(instructions.jump);
      other();
      return end;
    });
    const last = options.at(-1);
    if (last !== undefined) this.add(last);
    for (const end of ends) end();
  }

  #repeat(part: Of<"repeat">, after: Tree | undefined): void {
    const { times, greed, body } = part;
    if (body.kind === "character") this.#run(body.set, part, firstOf(after));
    else if (greed === "possessive") {
      this.#atomic(() => this.#loop(times, false, () => this.#atomic(() => this.add(body))));
    } else this.#loop(times, greed === "lazy", () => this.add(body));
  }

  #run(set: CharacterSet, { times, greed }: Of<"repeat">, after: CharacterSet | null): void {
    if (greed === "lazy") {
      this.#emit(instructions.shortestRun(set, times));
      this.#emit(instructions.longerRun(set, after));
      return;
    }
    this.#emit(instructions.longestRun(set, times));
    if (greed === "greedy") this.#emit(instructions.shorterRun(after));
  }

  #loop(times: Of<"repeat">["times"], isLazy: boolean, body: () => void): void {
    const registers = { count: this.#register(), last: this.#register() };
    this.#emit(instructions.beginLoop(registers));
    const begin = this.#forward(instructions.jump);
    const start = this.instructions.length;
    body();
    begin();
    const loop = { ...registers, ...times, body: start, turn: this.instructions.length };
    this.#emit(isLazy ? instructions.lazyTurn(loop) : instructions.greedyTurn(loop));
    if (isLazy) this.#emit(instructions.furtherTurn(loop));
  }

  #atomic(body: () => void): void {
    const height = this.#register();
    this.#emit(instructions.keepHeight(height));
    body();
    this.#emit(instructions.cut(height));
  }

  #look({ isBehind, isWanted, body }: Of<"look">): void {
    const registers = { height: this.#register(), at: this.#register() };
    const back = isBehind ? body.width.min : 0;
    if (isWanted) {
      this.#emit(instructions.beginLook(registers, back));
      this.add(body);
      this.#emit(instructions.endLook(registers));
      return;
    }
    const end = this.#forward((to) => instructions.beginRefusal(registers.height, back, to));
    this.add(body);
    this.#emit(instructions.refuse(registers.height));
    end();
  }

  #conditional({ group, yes, no }: Of<"conditional">): void {
    const other = this.#forward((to) => instructions.unlessGroup(group, to));
    this.add(yes);
    const end = this.#forward(instructions.jump);
    other();
    this.add(no);
    end();
  }
}

export const compileProgram = ({ body, groupCount }: ParsedPattern): Program => {
  const compiler = new Compiler(groupCount);
  compiler.add(body);
  return {
    instructions: compiler.instructions,
    registerCount: compiler.registerCount,
    first: firstOf(body),
  };
};
