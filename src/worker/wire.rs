//! Messages as bytes, and as what browsers hand over without copying.

use js_sys::{ArrayBuffer, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};

/// A message as bytes.
pub(super) fn to_bytes<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_stdvec(message).expect("protocol data has a length known beforehand")
}

/// The message of these bytes, if they are one.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Bytes as a buffer of the browser's own.
pub(super) fn buffer(bytes: &[u8]) -> ArrayBuffer {
    Uint8Array::from(bytes).buffer()
}

/// The bytes of a message's data; none if it is no buffer.
pub(super) fn bytes(data: &JsValue) -> Option<Vec<u8>> {
    data.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Request, Response, RunId, Span};

    /// Goal: messages come back as they were sent; anything else is no message.
    #[test]
    fn messages_survive_the_wire() {
        let span = Span { from_ns: 1, to_ns: u64::MAX };
        let request = Request::Tile { run: RunId(3), span, shift: 14, first: 0, count: 16 };
        assert_eq!(from_bytes::<Request>(&to_bytes(&request)), Some(request));
        let response = Response::Panicked { message: "µs".to_owned() };
        let bytes = to_bytes(&response);
        assert_eq!(from_bytes::<Response>(&bytes), Some(response));
        assert_eq!(from_bytes::<Response>(&bytes[..bytes.len() - 1]), None);
        assert_eq!(from_bytes::<Request>(&[250, 1, 2]), None);
    }
}
