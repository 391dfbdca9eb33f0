import { declareApiKeyLooks } from "../support/api-key-looks.ts";

declareApiKeyLooks();
