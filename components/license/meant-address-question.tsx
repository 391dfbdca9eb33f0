import { MeantQuestion, type MeantQuestionProps } from "#components/form/meant-question.tsx";

/** Below the address field, once the server has asked about a private one. */
export function MeantAddressQuestion(props: Pick<MeantQuestionProps, "about" | "text">) {
  return (
    <MeantQuestion
      {...props}
      hint="This is right for laboratories and private clouds."
      label="Private address"
      name="meant_address"
    />
  );
}
