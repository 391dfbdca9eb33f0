/**
 * Next hashes it with an action's file and name into the action's id, and encrypts by it what an action encloses. It
 * draws one for each build unless it is set, so a page of one machine's build could not call the other's actions. Not a
 * secret: our actions are exports of modules and enclose nothing, and their ids protect nothing.
 */
export const ACTION_KEY = Buffer.alloc(32, "license-desk").toString("base64");
