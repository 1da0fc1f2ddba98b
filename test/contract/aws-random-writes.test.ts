/** Random histories of conditional writes on AWS, over HTTP. */
import { ownTarget } from "./own-target.ts";
import { randomWritesOnAws } from "./random-writes-on-aws.ts";

randomWritesOnAws("AWS", ownTarget());
