/** Lays graphs out beside the page, so that the page stays quick. */
import * as z from "zod";
import { layOut } from "./graph-layout.ts";
import { LayoutRequest } from "./graph-layout-shape.ts";

z.config({ jitless: true });

addEventListener("message", ({ data }) => {
  postMessage(layOut(LayoutRequest.parse(data)));
});
