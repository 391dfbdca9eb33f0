"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { newIdempotencyKey, thisPage } from "#components/form/idempotency-key.ts";
import { unrepeated } from "#components/form/send-signed-in.ts";
import { useShownAnswer } from "#components/form/use-shown-answer.ts";
import { TextField } from "#components/ui/field.tsx";
import type { ActionResult } from "#lib/domain/action-result.ts";
import type { NewRecoveryCodes, PasskeyActions } from "./settings.ts";

export interface AddPasskeyDialogProps {
  readonly actions: Pick<PasskeyActions, "start" | "add">;
  /** With recovery codes, if they are the user's first ones. */
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

export function AddPasskeyDialog({ actions, onDone, onClose }: AddPasskeyDialogProps) {
  // The form follows the first call, whose answer brings no page.
  const { follow, untilShown } = useShownAnswer();
  const add: typeof actions.add = async (input, key) => {
    const added = await follow(() => unrepeated(actions.add)(input, key));
    await untilShown();
    return added;
  };
  return (
    <ConfirmChange
      action={({ name }: { readonly name: string }) => createPasskey({ ...actions, add }, name)}
      confirmLabel="Continue"
      description="Your device or password manager creates it and asks for your fingerprint, face or PIN. You are signed out everywhere else."
      done={({ recoveryCodes }) => onDone(recoveryCodes)}
      onClose={onClose}
      refusalNote="No passkey was added."
      title="Add a passkey"
    >
      <TextField data-autofocus hint="To tell your passkeys apart, such as “Work laptop”." label="Name" name="name" />
    </ConfirmChange>
  );
}

async function createPasskey(
  actions: AddPasskeyDialogProps["actions"],
  name: string,
): Promise<ActionResult<NewRecoveryCodes>> {
  const options = await actions.start(undefined, thisPage());
  if (!options.ok) return options;
  const { startRegistration } = await import("@simplewebauthn/browser");
  const registration = await startRegistration({ optionsJSON: options.value }).then(JSON.stringify, () => null);
  if (registration !== null) return actions.add({ name, registration }, newIdempotencyKey());
  const message = "Your browser did not create a passkey. It may have one for you already.";
  return { ok: false, error: { code: "state_invalid", message, fields: {}, charge: null, requestId: null } };
}
