import type { Page } from "@playwright/test";

/** Chromium's own: has a fingerprint reader that recognizes its user at once. */
export async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    async setCounter(signCount: number) {
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
      await cdp.send("WebAuthn.clearCredentials", { authenticatorId });
      for (const credential of credentials) {
        await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount } });
      }
    },
    forgetAll: () => cdp.send("WebAuthn.clearCredentials", { authenticatorId }),
    refuse: (isRefused: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: !isRefused }),
  };
}

/** From the settings: as far as the browser asks. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Continue" }).click();
}
