const ANSWERS_MAX = 60;
const CHARS_MAX = 20_000_000;

export interface KnownAnswer {
  readonly tag: string;
  readonly text: string;
}

export interface KnownAnswers {
  find(path: string): KnownAnswer | undefined;
  keep(path: string, answer: KnownAnswer): void;
  clear(): void;
}

export const knownAnswers = (): KnownAnswers => {
  const answers = new Map<string, KnownAnswer>();
  let chars = 0;
  const forget = (path: string): void => {
    chars -= answers.get(path)?.text.length ?? 0;
    answers.delete(path);
  };
  return {
    find: (path) => answers.get(path),
    keep: (path, answer) => {
      forget(path);
      answers.set(path, answer);
      chars += answer.text.length;
      for (const oldest of answers.keys()) {
        if (answers.size <= ANSWERS_MAX && chars <= CHARS_MAX) return;
        forget(oldest);
      }
    },
    clear: () => {
      answers.clear();
      chars = 0;
    },
  };
};
