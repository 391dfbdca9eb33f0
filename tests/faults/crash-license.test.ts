import { defineCrashSuite } from "./crash-suite.ts";

defineCrashSuite(["register", "renew", "change_core", "remove_core", "change_ip"]);
