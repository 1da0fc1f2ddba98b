/** The four stories of docs/convergence.md, as stacks that a user can step through. */

type Resources = Readonly<Record<string, unknown>>;

export interface Fault {
  readonly logical_name: string;
  readonly action: "CREATE" | "UPDATE" | "DELETE";
  readonly error?: string;
  readonly polls?: number;
  readonly dies?: true;
}

export interface Act {
  readonly title: string;
  readonly resources: Resources;
  readonly fault: Fault | null;
}

export interface Story {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly look: string;
  /** The stack at rest before the story begins. With null the first act creates it. */
  readonly before: Resources | null;
  readonly acts: readonly [Act, ...Act[]];
}

const thing = (properties: Resources) => ({ type: "Hearth::Test::Scenario", properties });
const b = thing({ of: { get_resource: "a" } });

export const STORIES: readonly Story[] = [
  {
    id: "one-update",
    title: "One update",
    text: "A stack has a, and b that refers to it. The user changes a property of a.",
    look: "2aU updates a. 2bU finds nothing to do. Then the cleanup goes backward and passes.",
    before: { a: thing({ size: "1" }), b },
    acts: [{ title: "Update a", resources: { a: thing({ size: "2" }), b }, fault: null }],
  },
  {
    id: "a-replacement",
    title: "A replacement",
    text: "The same stack; this time the provider cannot change the property in place.",
    look: "2aU makes the row of the replacement, and 2a'U its object. 2bU gets the new id. At last 2aC deletes the old object.",
    before: { a: thing({ "size!": "1" }), b },
    acts: [{ title: "Replace a", resources: { a: thing({ "size!": "2" }), b }, fault: null }],
  },
  {
    id: "an-overtaken-update",
    title: "An overtaken update",
    text: "The provider still works for traversal 2 when the user asks for something else.",
    look: "Step once, so that the update of a goes on at the provider. Then overtake it. The visits of 3 wait for the row, and those of 2 begin nothing more.",
    before: { a: thing({ size: "1" }), b },
    acts: [
      {
        title: "Update a",
        resources: { a: thing({ size: "2" }), b },
        fault: { logical_name: "a", action: "UPDATE", polls: 3 },
      },
      { title: "Overtake it", resources: { a: thing({ size: "3" }), b }, fault: null },
    ],
  },
  {
    id: "a-crash",
    title: "A crash",
    text: "The worker of 1aU dies after the provider has made the object, and before any record says so.",
    look: "After the first step the row has its operation, and the message is still there. Six minutes later it is delivered again. The provider sees the same token and answers with the same object.",
    before: null,
    acts: [
      {
        title: "Create the stack",
        resources: { a: thing({ size: "1" }), b },
        fault: { logical_name: "a", action: "CREATE", dies: true },
      },
    ],
  },
];

export const storyOf = (id: string | null): Story | null =>
  STORIES.find((story) => story.id === id) ?? null;
