/** Replaces ask-layout.ts, because a page that was opened as a file may start no worker. */
import { layOut } from "../src/graph-layout.ts";
import type { Layout, LayoutRequest } from "../src/graph-layout-shape.ts";

export const askLayout = async (request: LayoutRequest): Promise<Layout> => layOut(request);
