//! The service worker beside the page, which keeps it for when there is no network; and the
//! version that waits to be taken. What it keeps and why stands in `static/sw.js`.
//!
//! Must not decide when a new version is taken.

use gloo::events::EventListener;
use gloo::utils::{document, window};
use js_sys::Reflect;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    MessageEvent, RegistrationOptions, ServiceWorker, ServiceWorkerContainer,
    ServiceWorkerRegistration, ServiceWorkerState, ServiceWorkerUpdateViaCache,
};

/// Its script, beside the page.
const WORKER: &str = "sw.js";

/// The page's service worker, until dropped.
pub struct Offline {
    registration: Rc<RefCell<Option<ServiceWorkerRegistration>>>,
    /// Whether this page, and not another one, has asked for the version that waits.
    asked: Rc<Cell<bool>>,
    _listeners: Vec<EventListener>,
}

/// The version of the page as its build has named it; empty if none has.
#[must_use]
pub fn version() -> String {
    let named = document().query_selector("meta[name=version]").ok().flatten();
    named.and_then(|meta| meta.get_attribute("content")).unwrap_or_default()
}

impl Offline {
    /// Starts it; `waiting` is called when a version waits that is not this page's. Nothing is
    /// started where browsers refuse: without HTTPS, or in a private window.
    #[must_use]
    pub fn start(waiting: impl Fn() + 'static) -> Self {
        let registration = Rc::<RefCell<Option<ServiceWorkerRegistration>>>::default();
        let asked = Rc::<Cell<bool>>::default();
        let Some(container) = container() else {
            return Self { registration, asked, _listeners: vec![] };
        };
        let on_message = EventListener::new(&container, "message", move |event| {
            let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
            if data.is_some_and(|data| data.as_string().as_deref() == Some("waiting")) {
                waiting();
            }
        });
        let on_change = EventListener::new(&container, "controllerchange", {
            let asked = Rc::clone(&asked);
            move |_| {
                // Another page may have asked; this one goes on undisturbed.
                if asked.get() {
                    reload();
                }
            }
        });
        let on_look = EventListener::new(&document(), "visibilitychange", {
            let registration = Rc::clone(&registration);
            move |_| {
                let registration = registration.borrow().clone();
                if let Some(registration) = registration.filter(|_| !document().hidden()) {
                    look_for_newer(&registration);
                }
            }
        });
        spawn_local(register(container, Rc::clone(&registration)));
        Self { registration, asked, _listeners: vec![on_message, on_change, on_look] }
    }

    /// Takes the version that waits and loads the page anew.
    pub fn take(&self) {
        let registration = self.registration.borrow();
        let waiting = registration.as_ref().and_then(ServiceWorkerRegistration::waiting);
        self.asked.set(true);
        match waiting {
            Some(worker) if worker.post_message(&"take".into()).is_ok() => {}
            // Another page has taken it already.
            _ => reload(),
        }
    }
}

fn container() -> Option<ServiceWorkerContainer> {
    let navigator = window().navigator();
    // Undefined where pages are not served securely.
    let there = Reflect::get(&navigator, &"serviceWorker".into());
    there.is_ok_and(|there| there.is_object()).then(|| navigator.service_worker())
}

async fn register(
    container: ServiceWorkerContainer,
    slot: Rc<RefCell<Option<ServiceWorkerRegistration>>>,
) {
    let options = RegistrationOptions::new();
    // The browser asks the server each time whether the script is another one.
    options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
    let registered = container.register_with_options(WORKER, &options);
    let Ok(found) = JsFuture::from(registered).await else { return };
    let registration = ServiceWorkerRegistration::from(found);
    tell_version(registration.waiting());
    follow(registration.installing());
    let on_found = {
        let registration = registration.clone();
        move |_: &web_sys::Event| follow(registration.installing())
    };
    // Lives as long as the page.
    EventListener::new(&registration, "updatefound", on_found).forget();
    *slot.borrow_mut() = Some(registration);
}

/// Tells a worker that is being installed the page's version as soon as it waits.
fn follow(worker: Option<ServiceWorker>) {
    let Some(worker) = worker else { return };
    let told = worker.clone();
    let on_state = move |_: &web_sys::Event| {
        if told.state() == ServiceWorkerState::Installed {
            tell_version(Some(told.clone()));
        }
    };
    // Lives as long as the worker.
    EventListener::new(&worker, "statechange", on_state).forget();
}

/// Tells a worker that waits which version this page is: it takes over if it is of the same one,
/// and else says that it waits.
fn tell_version(worker: Option<ServiceWorker>) {
    if let Some(worker) = worker {
        // A worker that is gone hears nothing.
        let _ = worker.post_message(&version().into());
    }
}

fn look_for_newer(registration: &ServiceWorkerRegistration) {
    if let Ok(promise) = registration.update() {
        // Without a network there is nothing newer.
        spawn_local(async move { drop(JsFuture::from(promise).await) });
    }
}

fn reload() {
    // Refused only while the page is going away.
    let _ = window().location().reload();
}
