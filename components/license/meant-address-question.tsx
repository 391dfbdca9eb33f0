import { MeantQuestion } from "#components/form/meant-question.tsx";
import type { Meant } from "#components/form/use-meant.ts";

/** Below the address field, once the server has asked. */
export function MeantAddressQuestion({ asked, ...answer }: Meant) {
  return (
    <MeantQuestion
      {...answer}
      hint="This is right for laboratories and private clouds."
      label="Private address"
      name="meant_address"
      subject={asked}
    />
  );
}
