// SPDX-License-Identifier: GPL-3.0-or-later
// Runs what a page does with a test's question, and sends the answer back to the test.

const tell = (answer) => fetch("/answer", {method: "POST", body: JSON.stringify(answer)});

export async function ask(work) {
  window.addEventListener("error", (event) => tell({failure: String(event.message)}));
  try {
    const question = await (await fetch("/question.json")).json();
    await tell(await work(question));
  } catch (error) {
    await tell({failure: `${error}\n${error?.stack ?? ""}`});
  }
}
