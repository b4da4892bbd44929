//! Takes an answer in as it comes, whether it is one object or a stream of events: by what it is, not by what was asked for or what a header
//! says. Servers differ in both.

use super::answer::{self, Counted, Heard, Said};
use super::stream::Stream;

/// Listens to one answer.
#[derive(Debug, Default)]
pub struct Listener {
    form: Form,
}

#[derive(Debug, Default)]
enum Form {
    /// Nothing but white space so far.
    #[default]
    Unknown,
    Whole(Vec<u8>),
    Events(Box<Stream>),
}

impl Listener {
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.form {
            Form::Whole(body) => body.extend_from_slice(bytes),
            Form::Events(stream) => stream.push(bytes),
            Form::Unknown => {
                let bytes = bytes.trim_ascii_start();
                if let Some(first) = bytes.first() {
                    self.form = Form::of(*first);
                    self.push(bytes);
                }
            }
        }
    }

    /// Whether the end of the answer is known before the connection ends.
    pub const fn is_done(&self) -> bool {
        match &self.form {
            Form::Events(stream) => stream.is_done(),
            Form::Unknown | Form::Whole(_) => false,
        }
    }

    /// What was said. `whole`: whether the connection ended as it should.
    pub fn finish(self, whole: bool) -> Heard {
        match self.form {
            Form::Events(stream) => stream.finish(whole),
            _ if !whole => Heard { said: Said::BrokenOff { after: 0 }, counted: Counted::default() },
            Form::Unknown => answer::whole(b""),
            Form::Whole(body) => answer::whole(&body),
        }
    }
}

impl Form {
    /// A line of a stream begins with `data:`, `event:`, `id:`, `retry:`, or a colon.
    fn of(first: u8) -> Self {
        if b":deir".contains(&first) { Self::Events(Box::default()) } else { Self::Whole(Vec::new()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::wire::Tokens;
    use proptest::prelude::*;

    fn heard(bytes: &[u8], step: usize, whole: bool) -> Heard {
        let mut listener = Listener::default();
        bytes.chunks(step).for_each(|piece| listener.push(piece));
        listener.finish(whole)
    }

    fn said(text: &str) -> Said {
        heard(text.as_bytes(), usize::MAX, true).said
    }

    fn text(text: &str, complete: bool) -> Said {
        Said::Text { text: text.to_owned(), complete }
    }

    const STREAM: &str = ": OPENROUTER PROCESSING\r\n\r\n\
        data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n\
        event: message\ndata: {\"choices\":[{\"delta\":{\"content\":\"grün\"}}]}\n\n\
        :\n\n\
        data: {\"choices\":\ndata: [{\"delta\":{\"content\":\" ist\"}}]}\n\n\
        data:{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
        data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":2}}\n\n\
        data: [DONE]\n\n";

    #[test]
    fn a_stream_says_the_same_however_it_is_cut_into_pieces() {
        for step in [1, 2, 3, 7, 100, usize::MAX] {
            let heard = heard(STREAM.as_bytes(), step, true);
            assert_eq!(heard.said, text("grün ist", true), "{step}");
            assert_eq!(heard.counted.tokens, Some(Tokens { prompt: 4, completion: 2 }));
        }
        let mut listener = Listener::default();
        listener.push(STREAM.as_bytes());
        assert!(listener.is_done(), "nothing follows the end of a stream");
    }

    #[test]
    fn a_stream_that_breaks_off_says_nothing() {
        let end = STREAM.find("\"finish_reason\"").unwrap();
        for cut in 0..end {
            if !STREAM.is_char_boundary(cut) {
                continue;
            }
            let heard = heard(&STREAM.as_bytes()[..cut], usize::MAX, false);
            assert!(matches!(heard.said, Said::BrokenOff { .. }), "{cut}: {heard:?}");
        }
        let said = heard(&STREAM.as_bytes()[..end], usize::MAX, true).said;
        assert!(matches!(said, Said::Nonsense(_)), "half an event and a proper end: {said:?}");
        let tail = STREAM.find("data: [DONE]").unwrap();
        assert_eq!(heard(&STREAM.as_bytes()[..tail], usize::MAX, false).said, text("grün ist", true));
    }

    #[test]
    fn an_error_in_the_middle_ends_a_stream() {
        let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n\
            data: {\"error\":{\"code\":502,\"message\":\"gone\"},\"choices\":[{\"finish_reason\":\"error\"}]}\n\n";
        let Said::Complained(complaint) = said(stream) else { panic!("{:?}", said(stream)) };
        assert_eq!(complaint.status, Some(502));
    }

    #[test]
    fn what_it_is_counts_and_not_what_it_is_called() {
        let whole = r#"{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}"#;
        assert_eq!(said(whole), text("yes", true));
        assert_eq!(
            said(&format!("\n\n   \n{whole}")),
            text("yes", true),
            "white space keeps connections alive"
        );
        let refused = "data: {\"choices\":[{\"delta\":{\"refusal\":\"no\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]";
        assert_eq!(said(refused), Said::Refused("no".to_owned()));
        for nonsense in ["", "  ", "error page", "data: x\n\n", "<html>", "data: [DONE]\n\n", "id: 4\n\n"] {
            assert!(matches!(said(nonsense), Said::Nonsense(_)), "{nonsense:?}: {:?}", said(nonsense));
        }
        assert_eq!(heard(whole.as_bytes(), 9, false).said, Said::BrokenOff { after: 0 });
    }

    /// What servers send, whole and in ruins.
    const FRAGMENTS: &[&str] = &[
        "data: ",
        "data:",
        "\n",
        "\n\n",
        "\r\n",
        ": ",
        "[DONE]",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        "null",
        "1e999",
        "-1",
        "\\u00",
        "ü",
        "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}",
        "{\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"cost\":0.1}}",
        "{\"error\":{\"code\":429,\"message\":\"m\"}}",
        "\u{feff}",
        "\0",
    ];

    proptest! {
        #[test]
        fn anything_is_heard_alike_in_any_pieces(
            parts in prop::collection::vec(prop::sample::select(FRAGMENTS), 0..40), step in 1_usize..9, ended: bool,
        ) {
            let text = parts.concat();
            prop_assert_eq!(heard(text.as_bytes(), step, ended), heard(text.as_bytes(), usize::MAX, ended));
        }

        #[test]
        fn no_bytes_are_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200), ended: bool) {
            let _ = heard(&bytes, 7, ended);
            let _ = crate::provider::wire::complaint(&bytes);
        }
    }
}
