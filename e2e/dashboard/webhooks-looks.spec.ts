import { declareWebhookLooks } from "../support/webhook-looks.ts";

declareWebhookLooks();
