import { defineCrashSuite } from "./crash-suite.ts";

defineCrashSuite(["bundle_register", "bundle_renew", "bundle_change_ip"]);
